import { parseArgs } from 'node:util'
import { z } from 'zod'
import { paymentCount, seedNumber } from './control/control-schemas'

/** How the process was asked to run. `port` 0 lets the system choose. */
export type Flags = { port: number; host: string; data: string; seed: number; payments: number; control: boolean }

const whole = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number')
  .transform(Number)

const flags = z.object({
  port: whole.pipe(z.number().max(65_535, 'must be at most 65535')),
  host: z.string().min(1, 'must not be empty'),
  data: z.string().min(1, 'must not be empty'),
  seed: whole.pipe(seedNumber),
  payments: whole.pipe(paymentCount),
  control: z.boolean(),
})

/** Reads the command line strictly. Throws Error with one clear line for an unknown flag or a bad value. */
export function readFlags(args: string[]): Flags {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '4010' },
      host: { type: 'string', default: '127.0.0.1' },
      data: { type: 'string', default: './data/sandbox' },
      seed: { type: 'string', default: '1' },
      payments: { type: 'string', default: '5000' },
      control: { type: 'boolean', default: false },
    },
  })
  const parsed = flags.safeParse(values)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`--${String(issue?.path[0] ?? '')} ${issue?.message ?? 'is not valid'}`)
}
