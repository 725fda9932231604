import { describe, expect, it } from "vitest";
import { parseS3Url } from "./settings.ts";

describe("The address of a bucket", () => {
  it("names endpoint, bucket and keys", () => {
    const settings = parseS3Url("s3://key:se%2Fcret@s3.example/feed-objects");
    expect(settings).toEqual({
      endpoint: new URL("https://s3.example"),
      publicEndpoint: new URL("https://s3.example"),
      bucket: "feed-objects",
      accessKey: "key",
      secretKey: "se/cret",
      region: "us-east-1",
    });
  });

  it("may be without TLS, of a region, and reached elsewhere from outside", () => {
    const text = "s3+http://key:secret@store:9000/feed?region=eu-1&public=https://files.example";
    expect(parseS3Url(text)).toMatchObject({
      endpoint: new URL("http://store:9000"),
      publicEndpoint: new URL("https://files.example"),
      region: "eu-1",
    });
  });

  it.each([
    ["http://key:secret@host/feed", "must look like s3://"],
    ["s3://", "must look like s3://"],
    ["s3://host/feed", "has no access-key:secret-key@"],
    ["s3://key@host/feed", "has no access-key:secret-key@"],
    ["s3://key:secret@host", "has no bucket"],
    ["s3://key:secret@host/A_b", "has no bucket"],
    ["s3://key:secret@host/feed/below", "has no bucket"],
    ["s3://key:secret@host/feed?regoin=x", "knows no parameter regoin"],
    ["s3://key:secret@host/feed?public=files.example", "has a public that is not an address"],
    ["s3://key:secret@host/feed?public=https://a.example/b", "has a public that is not an address"],
  ])("is refused as %s", (text, complaint) => {
    expect(() => parseS3Url(text)).toThrow(complaint);
    expect(() => parseS3Url(text)).not.toThrow("secret@");
  });
});
