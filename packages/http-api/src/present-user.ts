import { registeredAtMs } from "@feed/domain/user";
import type { UserProperties, UserState } from "@feed/domain/user";
import type { User, UserProperties as PresentedProperties } from "./openapi.generated.ts";
import { isoTime } from "./present-time.ts";

/** A user as the API shows it (decisions, "Users, events, sessions"); every field by name. */
export function presentUser(state: UserState): User {
  const registered = registeredAtMs(state);
  return {
    user_id: state.userId,
    properties: presentProperties(state.properties),
    followed_sources: [...state.followedSources],
    blocked_sources: [...state.blockedSources],
    total_sessions: state.totalSessions,
    last_active_at: state.lastActiveAtMs === null ? null : isoTime(state.lastActiveAtMs),
    registered_at: registered === null ? null : isoTime(registered),
    created_at: isoTime(state.createdAtMs),
    updated_at: isoTime(state.updatedAtMs),
  };
}

function presentProperties(properties: UserProperties): PresentedProperties {
  const { area_names, area_level, language, interests, registered_at } = properties;
  return {
    ...(area_names !== undefined && { area_names: [...area_names] }),
    ...(area_level !== undefined && { area_level }),
    ...(language !== undefined && { language }),
    ...(interests !== undefined && { interests: [...interests] }),
    ...(registered_at !== undefined && { registered_at }),
  };
}
