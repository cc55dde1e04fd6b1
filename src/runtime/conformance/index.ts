/** The public face of `concordat/conformance`. */
export {};
