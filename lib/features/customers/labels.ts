export const customerNouns = { resource: 'customers', one: 'customer', many: 'customers' } as const

/** One field of a person that was compared: whether it was found to be theirs. `null` is not known, and never a match. */
export type KycTick = { field: string; label: string; match: boolean | null }

/** The ten fields that are compared (provider facts 2.11), in the order people read them. */
const fields: readonly (readonly [string, string])[] = [
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

/** The ten ticks, and after them any field Paydesk does not know by name; a field nobody reported is unknown. */
export function kycTicks(validations: Readonly<Record<string, boolean>>): KycTick[] {
  const matchOf = (field: string) => (Object.hasOwn(validations, field) ? (validations[field] ?? null) : null)
  const known = fields.map(([field, label]) => ({ field, label, match: matchOf(field) }))
  const more = Object.keys(validations).filter((field) => !fields.some(([name]) => name === field))
  return [...known, ...more.map((field) => ({ field, label: field.replaceAll('_', ' '), match: matchOf(field) }))]
}
