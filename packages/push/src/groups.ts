/** The consumer groups of push jobs, and what each reads. */
export const PUSH_GROUPS = {
  coordinators: { group: "push.coordinators", topic: "push-jobs" },
  workers: { group: "push.workers", topic: "push-chunks" },
} as const;
