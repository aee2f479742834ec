import type { FieldValues } from 'react-hook-form'
import type * as z from 'zod'
import type { CallAnswer } from '@/lib/client/request'
import type { DecisionReason } from '@/lib/domain/decision-reasons'
import type { Output } from '@/lib/operations/registry'
import type { WriteId } from '@/lib/operations/rows'
import type { Outcome } from './outcome'

/** What the form of one write is given. */
export type WriteFormOptions<K extends WriteId, V extends FieldValues> = {
  operation: K
  /** Names the draft: the object's id, or `new`. */
  target: string
  /** The account the write is for; null where the operation takes none. */
  account: string | null
  correlationId: string
  snapshot?: string
  /** Names of fields that are kept in no draft: numbers and tokens that must not outlast their form. Nested names have dots. */
  secret?: readonly string[]
  /** What the fields hold before anything is typed. */
  values: V
  /** The operation's own input schema, which is what gets validated. */
  schema: z.ZodType
  toInput: (values: V) => Record<string, unknown>
  /** Asked once the fields are right; false keeps it from being sent, for example while a warning is not ticked. */
  ready?: () => boolean
  /** Further faults that are no part of the input, by field: a typed confirmation, a reason that is kept here. */
  check?: (values: V) => Readonly<Record<string, string>>
  /** The reasons to choose from, where the operation asks why: the form has a code and a sentence then (see `with-reason`). */
  reasons?: readonly DecisionReason[]
  /** The reason that stays in the action book, for a form that composes it of fields of its own. */
  reasonOf?: (values: V) => string
  /** The field an error of the input or of the service belongs to; by default the one of the same name. */
  fieldOf?: (reference: string) => string
  /** Said to the screen; null takes the last one away while a new try is under way. */
  onOutcome: (outcome: Outcome | null) => void
  onDone?: (answer: CallAnswer<Output<K>>) => void
}
