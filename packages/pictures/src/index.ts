export {
  createPictureAddresses,
  type PictureAddressBook,
  type PictureRequest,
} from "./addresses.ts";
export { deliverPicture, type DeliveredPicture } from "./convert.ts";
export { formatFor, type PictureFormat } from "./format.ts";
export { Gate } from "./gate.ts";
export { CONVERSIONS_CONCURRENT_MAX, PICTURE_BYTES_MAX } from "./limits.ts";
export { deliverPlaceholder } from "./placeholder.ts";
export { PictureRefused, storePicture } from "./store-picture.ts";
