"""A reader's profile, from its making to its deletion: python3 users.py USER_ID"""

import os
import sys
from urllib.parse import quote

import requests

BASE = os.environ["CONTENT_FEED_URL"]
session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['CONTENT_FEED_KEY']}"
user = f"{BASE}/v1/users/{quote(sys.argv[1], safe='')}"


def call(method, address, **options):
    answer = session.request(method, address, timeout=10, **options)
    answer.raise_for_status()
    return answer


made = call("PUT", user, json={"properties": {"area_names": ["渋谷"], "language": "ja"}})
print("created" if made.status_code == 201 else "replaced")
call("PATCH", user, json={"properties": {"interests": ["サッカー"]}})

sources = call("GET", f"{BASE}/v1/sources").json()["data"]
call("PUT", f"{user}/sources/{sources[0]['source_id']}/follow")
call("PUT", f"{user}/sources/{sources[1]['source_id']}/block")
profile = call("GET", user).json()["data"]
print(profile["properties"], profile["followed_sources"], profile["blocked_sources"])
call("DELETE", f"{user}/sources/{sources[0]['source_id']}/follow")
call("DELETE", f"{user}/sources/{sources[1]['source_id']}/block")

call("DELETE", user)
print("gone:", session.get(user, timeout=10).status_code == 404)

cursor = None
while True:
    page = call("GET", f"{BASE}/v1/users", params={"limit": 1000, "cursor": cursor}).json()
    for each in page["data"]:
        print("user", each["user_id"], each["last_active_at"])
    cursor = page["meta"]["next_cursor"]
    if cursor is None:
        break
