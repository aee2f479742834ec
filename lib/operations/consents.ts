/** The payer's form of consent to a charge, as forms and our own API name it. */
export const consentTypes = ['internet', 'signed_agreement'] as const

/** The two names of a signed agreement: the interface document's, and that of the provider's contract. */
export const signedConsents = ['signed_agreement', 'signed'] as const

export type SignedConsent = (typeof signedConsents)[number]

/** True if the service's word for a consent means a signed agreement. */
export const isSigned = (consent: string | undefined): boolean => signedConsents.some((word) => word === consent)
