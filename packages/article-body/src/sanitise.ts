import { addHook, removeHook, sanitize } from "isomorphic-dompurify";
import type { PictureRef } from "@feed/domain/article";
import { STORED_PICTURE_PREFIX } from "@feed/domain/article";
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS, attributesOf, isAllowedValue } from "./allowlist.ts";

/**
 * Keeps what spec 2.3 allows and nothing else, and gives every picture its stored address.
 *
 * The hooks narrow the sanitiser's global attribute list to one per tag, and take away the
 * exception it makes for `data:` pictures. Addresses are rewritten here, on its tree: text that is
 * changed after sanitising is no longer sanitised. Pictures that `pictureAt` does not know are
 * dropped.
 */
export function sanitise(html: string, pictureAt: (url: string) => PictureRef | undefined): string {
  // Hooks live on the shared instance, so they are put on for one document and taken off again.
  addHook("uponSanitizeElement", (node) => {
    if (!("getAttribute" in node) || node.nodeName.toLowerCase() !== "img") return;
    const img = node as Element;
    const picture = pictureAt(img.getAttribute("src") ?? "");
    if (picture === undefined) img.remove();
    else img.setAttribute("src", STORED_PICTURE_PREFIX + picture.id);
  });
  addHook("uponSanitizeAttribute", (element, data) => {
    const allowed = attributesOf(element.tagName.toLowerCase())?.includes(data.attrName) ?? false;
    data.keepAttr = allowed && isAllowedValue(data.attrName, data.attrValue);
  });
  try {
    return sanitize(html, {
      ALLOWED_TAGS: [...ALLOWED_TAGS],
      ALLOWED_ATTR: [...ALLOWED_ATTRIBUTES],
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
    });
  } finally {
    removeHook("uponSanitizeElement");
    removeHook("uponSanitizeAttribute");
  }
}
