"""The first pages of a reader's feed: python3 feed.py [USER_ID]"""

import os
import sys

import requests

BASE = os.environ["CONTENT_FEED_URL"]
session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['CONTENT_FEED_KEY']}"

params = {"limit": 10}
if len(sys.argv) > 1:
    params["user_id"] = sys.argv[1]

for page in range(3):
    answer = session.get(f"{BASE}/v1/feed", params=params, timeout=10)
    if not answer.ok:
        problem = answer.json()
        sys.exit(f"{problem['title']}: {problem['detail']}")
    feed = answer.json()
    for item in feed["data"]:
        print(f"{item['score']:.2f} {item['title']} ({item['source']['name']})")
    print(f"page {page + 1} cost {answer.headers['X-Credits-Used']}")
    params["cursor"] = feed["meta"]["next_cursor"]
    if params["cursor"] is None:
        break
