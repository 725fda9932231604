/** Of the package; sent in `User-Agent`. */
export const VERSION = "0.1.0";
