"""One article with its body, where the licence allows it: python3 content.py CONTENT_ID"""

import os
import sys

import requests

BASE = os.environ["CONTENT_FEED_URL"]
HEADERS = {"Authorization": f"Bearer {os.environ['CONTENT_FEED_KEY']}"}

answer = requests.get(
    f"{BASE}/v1/contents/{sys.argv[1]}",
    params={"include_body": "true", "body_format": "markdown"},
    headers=HEADERS,
    timeout=10,
)
if answer.status_code == 404:
    sys.exit("There is no such article, or it may not be shown.")
answer.raise_for_status()
article = answer.json()["data"]

print(article["title"])
# Without a licence for the source's bodies the field is absent.
print(article.get("content_body", article["body_excerpt"]))
print(f"{article['source']['name']}, {article['source']['url']}, {article['canonical_url']}")
