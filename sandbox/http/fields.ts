import { z } from 'zod'
import { uuidPattern } from '@/sandbox/store/new-id'

export const uuid = z.string('must be a UUID').regex(uuidPattern, 'must be a UUID')

export const text = (max: number) =>
  z.string('is required and must be a string').trim().min(1, 'must not be empty').max(max, `must be at most ${max} characters`)

/** A time in responses: ISO 8601 in UTC. */
export const timestamp = z.iso.datetime()

export const date = z.iso.date('must be a date, YYYY-MM-DD')

const entryText = z.string('must be a string').max(40, 'must be at most 40 characters')

/** At most 20 keys; keys and values have up to 40 characters. The interface document allows 40 and 80, the provider accepts 40. */
export const metadata = z
  .record(entryText.min(1, 'must not be empty'), entryText, 'must be an object of strings')
  .refine((map) => Object.keys(map).length <= 20, 'must have at most 20 keys')

/** Whole positive cents that fit 32 bits. */
export const cents = z.int('must be a whole number of cents').min(1, 'must be 1 or more').max(2_147_483_647, 'must be at most 2147483647')

export const externalId = z.string('must be a string').min(1, 'must not be empty').max(100, 'must be at most 100 characters')

/** IP address of the customer's device; `0.0.0.0` stands for none. */
export const device = z.strictObject({ ip_address: z.ipv4('must be an IPv4 address') }, 'is required: {"ip_address": "…"}')

/** E.164. */
export const phone = z.string('is required and must be a string').regex(/^\+[1-9]\d{1,14}$/, 'must be E.164, such as +15125550100')

export const email = z.email('must be an e-mail address').max(254, 'must be at most 254 characters')

export const routingNumber = z.string('must be a string').regex(/^\d{9}$/, 'must be 9 digits')

/** A value of a fixed set; the error text lists them. */
export const word = <const V extends readonly [string, ...string[]]>(values: V) => z.enum(values, `must be one of ${values.join(', ')}`)
