"""A click on the first article of a reader's feed: python3 events.py USER_ID"""

import os
import sys
import time
import uuid
from datetime import datetime, timezone

import requests

BASE = os.environ["CONTENT_FEED_URL"]
ATTEMPTS = 4
session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['CONTENT_FEED_KEY']}"


def send(events):
    """Up to 100 events. The same key in each attempt: whatever gets lost, they count once."""
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    for attempt in range(ATTEMPTS):
        answer = session.post(f"{BASE}/v1/events", json={"events": events}, headers=headers, timeout=10)
        if answer.status_code not in (429, 503) or attempt == ATTEMPTS - 1:
            break
        time.sleep(int(answer.headers["Retry-After"]))
    if not answer.ok:
        sys.exit(f"{answer.json()['detail']} {answer.json().get('errors')}")
    return answer.json()["data"]["accepted"]


def feed():
    answer = session.get(f"{BASE}/v1/feed", params={"user_id": sys.argv[1]}, timeout=10)
    answer.raise_for_status()
    return answer.json()["data"]


clicked = feed()[0]
accepted = send(
    [
        {
            "type": "click",
            "user_id": sys.argv[1],
            "session_id": str(uuid.uuid4()),
            "tracking_token": clicked["tracking_token"],
            "occurred_at": datetime.now(timezone.utc).isoformat(),
        }
    ]
)
print("accepted:", accepted)
# Within a second of the answer.
time.sleep(1)
print("shown again:", clicked["id"] in [item["id"] for item in feed()])
