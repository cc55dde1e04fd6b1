/** What the peers of the whole service are set to, as the service is. */

export const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
  },
};

/** Answers depend on who asks. */
export const vary = 'Authorization, X-API-Key, Accept';
export const varyOfLists = `${vary}, X-API-Version`;
