import * as z from 'zod'
import { maybe, maybeNumber, text, words } from './common.schema'

/** The text of each code that occurs in the evidence, by code. */
export const messages = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => Object.fromEntries(Object.entries(value ?? {}).map(([code, entry]) => [code, String(entry ?? '')])))

/**
 * What one module of a verification found (provider facts 2.9, 2.11). `decision` and `correlation` are open words; scores run from 0 to 1.
 * A high risk score is bad, a high correlation score is good.
 */
export const finding = z.object({
  decision: text,
  codes: words,
  risk_score: maybeNumber,
  correlation_score: maybeNumber,
  correlation: text,
  reason: text,
})

/** Findings by module; one that does not apply, which the service sends as null, is left out, and one we do not know stays. */
export const breakdownOf = <S extends z.ZodType>(module: S) =>
  maybe(z.record(z.string(), module.nullable())).transform(
    (value) =>
      Object.fromEntries(Object.entries(value ?? {}).filter(([, entry]) => entry !== null)) as Record<string, NonNullable<z.output<S>>>,
  )
