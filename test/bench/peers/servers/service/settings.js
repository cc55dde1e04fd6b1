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

/** Written as the service's own log is. */
export const logDestination = { fd: 1, sync: false, minLength: 4096, periodicFlush: 200 };

/** Answers depend on who asks. */
export const vary = 'Authorization, X-API-Key, Accept';
