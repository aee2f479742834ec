export const customerNouns = { resource: 'customers', one: 'customer', many: 'customers' } as const

/** `match` is null if the result is unknown, which never counts as a match. */
export type KycFieldResult = { field: string; label: string; match: boolean | null }

/** The ten fields that the identity verification checks (provider facts 2.11), in display order. */
const kycFields: readonly (readonly [string, string])[] = [
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['dob', 'Date of birth'],
  ['ssn', 'Social security number'],
  ['address', 'Street'],
  ['city', 'City'],
  ['state', 'State'],
  ['zip', 'ZIP code'],
  ['phone', 'Phone'],
  ['email', 'Email'],
]

/** The ten fields, then unknown ones. `match` is null for a field that was not reported. */
export function toKycFieldResults(
  validations: Readonly<Record<string, boolean>>,
): KycFieldResult[] {
  const findMatch = (field: string) =>
    Object.hasOwn(validations, field) ? (validations[field] ?? null) : null
  const knownResults = kycFields.map(([field, label]) => ({
    field,
    label,
    match: findMatch(field),
  }))
  const unknownFields = Object.keys(validations).filter(
    (field) => !kycFields.some(([name]) => name === field),
  )
  return [
    ...knownResults,
    ...unknownFields.map((field) => ({
      field,
      label: field.replaceAll('_', ' '),
      match: findMatch(field),
    })),
  ]
}
