/** Inputs that tests of several services send. */

/** A person who is not in the store yet. */
export const eve = { name: 'Eve', email: 'eve@example.com' };

export const enginePost = { title: 'On engines', content: 'They weave.' };
