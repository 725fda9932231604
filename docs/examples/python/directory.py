"""What a tenant can use, and what it has used; free of credits: python3 directory.py"""

import os

import requests

BASE = os.environ["CONTENT_FEED_URL"]
session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['CONTENT_FEED_KEY']}"


def get(path, **params):
    answer = session.get(f"{BASE}{path}", params=params, timeout=10)
    answer.raise_for_status()
    return answer.json()["data"]


for source in get("/v1/sources"):
    print(source["source_id"], source["name"], source["licence"])
# requests percent-encodes, as the service asks for.
for area in get("/v1/areas", q="しぶや", limit=3):
    print(area["name"], area["level"], area["prefecture"])
usage = get("/v1/usage")
print(usage["month"], usage["used_credits"], "of", usage["plan_credits"], "until", usage["resets_at"])
