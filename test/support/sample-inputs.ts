/** Inputs that tests of several services send. */

/** A person who is not in the store yet. */
export const eve = { name: 'Eve', email: 'eve@example.com' };

/** An item without a product. */
export const twine = { name: 'Twine', unitPrice: 0.1, quantity: 3 };

/** The items of an order, and others to replace them. */
export const orderOfTwine = { items: [twine] };
export const orderOfShears = { items: [{ name: 'Shears', unitPrice: 19.99, quantity: 2 }] };

export const enginePost = { title: 'On engines', content: 'They weave.' };
