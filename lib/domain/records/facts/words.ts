/** The confidence of a fact of the GTM profile that someone stated: it is how they sell. One that a machine drafted has less. */
export const ASSERTED_CONFIDENCE = 1;
