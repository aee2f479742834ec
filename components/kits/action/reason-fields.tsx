'use client'

import { type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { UseFormReturn } from 'react-hook-form'
import { Checkbox, Field, Select } from '@/components/ui/field'
import { Textarea } from '@/components/ui/input'
import { Notice } from '@/components/ui/notice'
import { type DecisionReason, findReasonWarnings } from '@/lib/domain/reasons'
import { formatWarning, toAlthoughClause, toWarningName, type Warning } from '@/lib/domain/warnings'

export type TypedReason = { code: string; text: string }

/** `typed` is the text typed as confirmation. */
export type ReasonValues = TypedReason & { typed: string }

const noteHints = {
  sent: 'Sent to the provider and kept permanently. Leave out names, contact data and account numbers.',
  kept: 'Kept in Paydesk’s audit log only. Leave out names and account numbers.',
}

export type ReasonFieldsProps = {
  reasons: readonly DecisionReason[]
  form: UseFormReturn<ReasonValues>
  where: keyof typeof noteHints
}

/** Choosing a code fills in its template, but never replaces a text that the person typed. */
export function ReasonFields({ reasons, form, where }: ReasonFieldsProps) {
  const { errors } = form.formState
  const fillTemplate = (code: string) => {
    const typedNote = form.getValues('text').trim()
    const isNoteUntouched =
      typedNote === '' || reasons.some((reason) => reason.template === typedNote)
    const template = reasons.find((reason) => reason.code === code)?.template
    if (isNoteUntouched && template !== undefined)
      form.setValue('text', template, { shouldDirty: true })
  }
  return (
    <div className="grid items-start gap-3 @lg:grid-cols-[minmax(11rem,2fr)_3fr]">
      <Field label="Reason" error={errors.code?.message}>
        {(control) => (
          <Select
            {...control}
            {...form.register('code', {
              onChange: (event) => fillTemplate(event.target.value),
              deps: 'text',
            })}
          >
            <option value="">Choose…</option>
            {reasons.map((reason) => (
              <option key={reason.code} value={reason.code}>
                {reason.label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Note" hint={noteHints[where]} error={errors.text?.message}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxLength={300}
            {...form.register('text', { deps: 'code' })}
          />
        )}
      </Field>
    </div>
  )
}

export type WarningsState = {
  list: readonly { name: string; text: string; isNew: boolean }[]
  ticked: ReadonlySet<string>
  /** True after the person tried to send without confirming every warning. */
  asked: boolean
  /** A clause, such as "although no proof is on file". Empty without warnings. */
  although: string
  /** Container of the checkboxes: on sending, the first unchecked one takes the focus. */
  box: RefObject<HTMLDivElement | null>
  tick: (name: string, on: boolean) => void
  allTicked: () => boolean
  /** Returns the names of the confirmed warnings, as sent in the request. */
  names: () => string[]
  /** Adds warnings that the server found, and focuses the first checkbox that is unchecked. */
  tell: (found: readonly Warning[]) => void
}

/**
 * Warnings about the object, about personal data in the note (such as one of `names`), and from the
 * server. A confirmed warning stays confirmed while the note changes.
 */
export function useWarnings(
  noteText: string,
  names: readonly (string | undefined)[],
  objectWarnings: readonly Warning[],
): WarningsState {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [hasMissingTicks, setHasMissingTicks] = useState(false)
  const [serverWarnings, setServerWarnings] = useState<readonly Warning[]>([])
  const checkboxGroup = useRef<HTMLDivElement>(null)
  const focusFirstUnticked = () =>
    checkboxGroup.current?.querySelector<HTMLElement>('input:not(:checked)')?.focus()
  // A warning from the server replaces a local one with the same code, because it is newer.
  const warningsNotFromServer = objectWarnings.filter(
    ({ code }) => !serverWarnings.some((other) => other.code === code),
  )
  const warnings = [
    ...warningsNotFromServer,
    ...serverWarnings,
    ...findReasonWarnings(noteText, names).map(({ id }): Warning => ({ code: `text_${id}` })),
  ]
  const warningItems = warnings.map((warning) => ({
    name: toWarningName(warning),
    text: formatWarning(warning),
    isNew: serverWarnings.includes(warning),
  }))
  const setWarningTicked = (name: string, isTicked: boolean) =>
    setTicked(
      (old) => new Set(isTicked ? [...old, name] : [...old].filter((each) => each !== name)),
    )
  const requireAllTicked = () => {
    const isAllTicked = warningItems.every(({ name }) => ticked.has(name))
    setHasMissingTicks(!isAllTicked)
    if (!isAllTicked) focusFirstUnticked()
    return isAllTicked
  }
  return {
    ...{
      list: warningItems,
      ticked,
      asked: hasMissingTicks,
      box: checkboxGroup,
      tick: setWarningTicked,
      allTicked: requireAllTicked,
    },
    although: toAlthoughClause([...warningsNotFromServer, ...serverWarnings]),
    names: () => warningItems.map(({ name }) => name).filter((name) => ticked.has(name)),
    tell: (found) => {
      flushSync(() => {
        setServerWarnings(found)
        setHasMissingTicks(true)
      })
      focusFirstUnticked()
    },
  }
}

export function WarningCheckboxes({ warnings }: { warnings: WarningsState }) {
  if (warnings.list.length === 0) return null
  return (
    <Notice tone="held" title="Confirm before sending">
      <div ref={warnings.box}>
        {warnings.list.map(({ name, text, isNew }) => (
          <Checkbox
            key={name}
            label={isNew ? `New since you opened this: ${text}` : text}
            checked={warnings.ticked.has(name)}
            onChange={(event) => warnings.tick(name, event.target.checked)}
          />
        ))}
      </div>
      {warnings.asked && (
        <p role="alert" className="font-medium text-bad">
          Check each box to continue.
        </p>
      )}
    </Notice>
  )
}
