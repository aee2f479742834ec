/** How the payer agreed to a charge, as forms and our own API say it. */
export const consentTypes = ['internet', 'signed_agreement'] as const

/** The two words of services for one consent, a signed agreement: the interface document's, and that of the provider's contract. */
export const signedConsents = ['signed_agreement', 'signed'] as const

export type SignedConsent = (typeof signedConsents)[number]

/** Whether a service's word for a consent says that an agreement was signed. */
export const isSigned = (consent: string | undefined): boolean => signedConsents.some((word) => word === consent)
