/** The consumer group that announces the ends of push jobs, and what it reads. */
export const WEBHOOK_GROUP = { group: "webhooks.announcers", topic: "push-jobs" } as const;
