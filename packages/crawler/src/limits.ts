/** Limits on what is taken from outside. Architecture rule 9: everything has one. */

/** Feeds larger than this are refused; the largest honest ones are some 3 MiB. */
export const FEED_BYTES_MAX = 10 * 1024 * 1024;
export const PAGE_BYTES_MAX = 5 * 1024 * 1024;
/** RFC 9309, 2.5: at least 500 KiB have to be read. */
export const ROBOTS_BYTES_MAX = 2 * 1024 * 1024;
/** From the first byte of the request to the last of the body, for one hop. */
export const FETCH_TIMEOUT_MS = 20_000;
/** RFC 9309, 2.3.1.2: at least five. */
export const ROBOTS_REDIRECTS_MAX = 5;
/** RFC 9309, 2.4. */
export const ROBOTS_TTL_MS = 24 * 3_600_000;
/** An unreachable robots.txt forbids everything, so it is asked again soon. */
export const ROBOTS_RETRY_MS = 10 * 60_000;

/** Pause between requests to one host where its robots.txt names none. */
export const HOST_DELAY_MS = 1_000;
/** A longer `Crawl-delay` would keep an article from ever arriving. */
export const CRAWL_DELAY_MS_MAX = 30_000;
export const BACK_OFF_FIRST_MS = 30_000;
export const BACK_OFF_MS_MAX = 24 * 3_600_000;
/** Hosts remembered at once; those left longest go first. */
export const HOSTS_MAX = 10_000;

/** Entries of one feed that are looked at, newest first. */
export const ENTRIES_PER_FEED_MAX = 200;
export const PICTURES_PER_ARTICLE_MAX = 20;
/** Pictures with such a side show nothing: they count readers or move things about. */
export const SPACER_SIDE_PX_MAX = 2;
/** A thumbnail with a shorter side is an icon or a counter. */
export const THUMBNAIL_SIDE_PX_MIN = 100;
export const TITLE_CHARS_MAX = 500;
export const AUTHOR_CHARS_MAX = 200;
export const LABELS_PER_ARTICLE_MAX = 20;
