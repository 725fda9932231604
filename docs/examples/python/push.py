"""Articles for push notifications, for every user of the tenant: python3 push.py SCENARIO"""

import json
import os
import sys
import time
import uuid

import requests

BASE = os.environ["CONTENT_FEED_URL"]
session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['CONTENT_FEED_KEY']}"

started = session.post(
    f"{BASE}/v1/push-candidates",
    json={"scenario": sys.argv[1], "candidates_per_user": 2},
    headers={"Idempotency-Key": str(uuid.uuid4())},
    timeout=10,
)
started.raise_for_status()
job_id = started.json()["job_id"]

while True:
    answer = session.get(f"{BASE}/v1/push-candidates/{job_id}", timeout=10)
    answer.raise_for_status()
    job = answer.json()
    if job["status"] in ("completed", "failed"):
        break
    time.sleep(1)
if job["status"] == "failed":
    sys.exit(f"{job['error']['code']}: {job['error']['message']}")

# The address is signed: it needs no key, and the key has no business there.
with requests.get(job["download_url"], stream=True, timeout=10) as download:
    download.raise_for_status()
    rows = 0
    for line in download.iter_lines():
        row = json.loads(line)
        rows += 1
        for article in row["candidates"][:1]:
            print(row["user_id"], article["title"], article["url"])
print(rows == job["target_user_count"], job["consumed_credits"])
