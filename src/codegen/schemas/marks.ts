/** Keywords of our own, which the loader writes into schemas for the schema compiler. */

/** By the name of a dynamic anchor, a reference to its schema, in the resource that evaluation enters here. */
export const ANCHORS = 'x-concordat-anchors';

/** Whether the dialect of the schema requires that `format` is checked. */
export const ASSERTED_FORMAT = 'x-concordat-asserted-format';
