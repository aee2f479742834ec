import * as z from 'zod'

type AllowedValues = readonly [string, ...string[]]

const commaSeparatedTexts = z
  .union([z.string(), z.array(z.string())])
  .transform((value) =>
    (Array.isArray(value) ? value : [value])
      .flatMap((part) => part.split(','))
      .filter((part) => part !== ''),
  )

/** Any words, as repeated URL keys or joined by commas, not only those of a known set. */
export const plainTextList = commaSeparatedTexts
  .pipe(z.array(z.string().regex(/^[\w-]{1,60}$/, 'Must be plain text.')).max(30))
  .optional()

export const oneOf = <const V extends AllowedValues>(values: V) =>
  z.enum(values, `Must be one of ${values.join(', ')}.`)

/** Values as repeated keys of a URL query, or joined by commas. */
export const optionalListOf = <const V extends AllowedValues>(values: V) =>
  commaSeparatedTexts.pipe(z.array(oneOf(values)).max(30, 'Use at most 30 values.')).optional()

export const centsBound = z.coerce
  .number('Must be a whole number of cents.')
  .int('Must be a whole number of cents.')
  .min(0, 'Must be 0 or more.')
  .max(2_147_483_647, 'Must be at most 2147483647.')
  .optional()

/** A calendar date, without time zone conversion. */
export const dayBound = z.iso.date('Must be a date like 2026-03-31.').optional()

export const timeBound = z.iso
  .datetime({ offset: true, error: 'Must be a time like 2026-03-31T14:05:00Z.' })
  .optional()

export const queryBoolean = z
  .union([
    z.boolean(),
    z.enum(['true', 'false'], 'Must be true or false.').transform((value) => value === 'true'),
  ])
  .optional()

export const shortText = z
  .string('Must be text.')
  .trim()
  .max(100, 'Must be at most 100 characters.')
  .optional()

/** By default 50 rows (at most 1000, provider facts 5), sorted by `defaultKey`. */
export const createPagingFields = <const V extends AllowedValues>(
  sortKeys: V,
  defaultKey: V[number],
  order: 'asc' | 'desc' = 'desc',
) => ({
  page_number: z.coerce
    .number('Must be a page number.')
    .int('Must be a page number.')
    .min(1, 'Begins at 1.')
    .max(1_000_000)
    .default(1),
  page_size: z.coerce
    .number('Must be a number from 1 to 1000.')
    .int('Must be a number from 1 to 1000.')
    .min(1, 'Must be a number from 1 to 1000.')
    .max(1000, 'Must be at most 1000.')
    .default(50),
  sort_by: oneOf(sortKeys).prefault(defaultKey),
  sort_order: oneOf(['asc', 'desc']).default(order),
})

export const createRequiredTextSchema = (max: number, missingMessage: string) =>
  z
    .string(missingMessage)
    .trim()
    .min(1, missingMessage)
    .max(max, `Must be at most ${max} characters.`)

export const createOneLineTextSchema = (max: number, missingMessage: string) =>
  createRequiredTextSchema(max, missingMessage).regex(
    /^[^\p{Cc}\u2028\u2029]*$/u,
    'Must be one line of text.',
  )

/** A whole number above zero that fits in 32 bits (provider facts 2.19). */
export const cents = z
  .int('Must be a whole number of cents.')
  .min(1, 'Must be more than zero.')
  .max(2_147_483_647, 'Must be at most 2147483647 cents.')

/** Accepts past dates, such as a date of birth. */
export const day = z.iso.date('Must be a date like 2026-03-31.')

/** Shown on a bank statement (interface document, "Limits"). */
export const statementDescription = createOneLineTextSchema(
  80,
  'Enter the text for the bank statement.',
)

/** The platform's own reference for an object, such as an order number. */
export const externalId = createOneLineTextSchema(100, 'Enter your own reference.')

const metadataText = z
  .string('Must be text.')
  .min(1, 'Must not be empty.')
  .max(40, 'Must be at most 40 characters.')

/** Chosen by the platform. An update replaces all pairs (interface document, "Metadata rules"). */
export const metadataInput = z
  .record(metadataText, metadataText, 'Must be pairs of text.')
  .refine((map) => Object.keys(map).length <= 20, 'Must have at most 20 keys.')
  .optional()

/** The address 0.0.0.0 means that no device was used (provider facts 1.1). */
export const deviceInput = z.strictObject(
  { ip_address: z.ipv4('Must be an IPv4 address, or 0.0.0.0 where no device was present.') },
  'Enter the IPv4 address of the device, or 0.0.0.0 if the customer was not present.',
)

/** E.164 format. */
export const phone = z
  .string('Enter a phone number.')
  .regex(
    /^\+[1-9]\d{1,14}$/,
    'Enter a phone number, e.g. (512) 555-0100. Outside the US, start with + and the country code.',
  )

export const email = z
  .email('Must be an email address.')
  .max(254, 'Must be at most 254 characters.')

export const usStateCode = z
  .string('Choose a state.')
  .regex(/^[A-Z]{2}$/, 'Must be two capital letters, like TX.')

export const zipCode = z
  .string('Enter a ZIP code.')
  .regex(/^\d{5}(-\d{4})?$/, 'Must be a ZIP code, like 78701 or 78701-1234.')

/** Only a separate operation that reveals masked data returns it. */
export const ssn = z
  .string('Enter the social security number.')
  .regex(/^\d{3}-\d{2}-\d{4}$/, 'Must be written 123-45-6789.')

export const ein = z
  .string('Enter the employer identification number.')
  .regex(/^\d{2}-\d{7}$/, 'Must be written 12-3456789.')

export const webPageUrl = z
  .url({
    protocol: /^https?$/,
    error: 'Must be a web address that begins with http:// or https://.',
  })
  .max(500, 'Must be at most 500 characters.')

const checkDigitWeights = [3, 7, 1] as const

/** The check digit of the American Bankers Association finds most typing errors. */
function hasValidCheckDigit(digits: string): boolean {
  const weightedSum = [...digits].reduce(
    (total, digit, place) => total + Number(digit) * (checkDigitWeights[place % 3] ?? 1),
    0,
  )
  return weightedSum > 0 && weightedSum % 10 === 0
}

export const routingNumber = z
  .string('Enter the routing number.')
  .regex(/^\d{9}$/, { error: 'Must be 9 digits.', abort: true })
  .refine(hasValidCheckDigit, 'Not a routing number: one digit is wrong.')

export const accountNumber = z
  .string('Enter the account number.')
  .regex(/^\d{4,17}$/, 'Must be 4 to 17 digits.')

/** `sandbox_outcome` has an effect in the sandbox only. */
export const createVerificationConfigSchema = <const O extends readonly [string, ...string[]]>(
  outcomes: O,
) =>
  z
    .strictObject({
      sandbox_outcome: oneOf(outcomes).optional(),
      processing_method: oneOf(['inline', 'background', 'skip']).optional(),
    })
    .optional()
