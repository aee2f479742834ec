'use client'

import { type FormEvent, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { AccountChoicesStatus, useAccountChoices } from '@/components/kits/form/account-choices'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/input'
import type { CallError } from '@/lib/client/call-error'
import { useOperation } from '@/lib/client/query/writes'
import type { Policy, PolicyVersion } from '@/lib/operations/policies'
import { createRuleDraft, parsePolicy, type RuleDraft, toPolicyDraft } from './draft'
import { PreviewPanel } from './preview-panel'
import { RuleFields } from './rule-fields'
import { DurationFields } from './times-fields'

type PolicyEditorProps = { active: PolicyVersion; onProposed: () => void; onCancel: () => void }

type FaultsByField = Readonly<Record<string, string>>

const toFaultsByField = (error: CallError): FaultsByField =>
  Object.fromEntries(error.items.map(({ reference, detail }) => [reference, detail]))

const isShownAtFields = (error: CallError) =>
  error.items.length > 0 &&
  error.items.every(({ reference }) => /^(policy\.|reason$)/.test(reference))

type RuleEditorListProps = {
  rules: readonly RuleDraft[]
  choices: ReturnType<typeof useAccountChoices>
  faults: FaultsByField
  onChange: (rules: readonly RuleDraft[]) => void
}

const RuleEditorList = ({ rules, choices, faults, onChange }: RuleEditorListProps) => (
  <>
    {rules.map((rule, at) => (
      <RuleFields
        key={rule.key}
        rule={rule}
        number={at + 1}
        accounts={choices.accounts}
        faultOf={(field) => faults[`policy.rules.${at}.${field}`]}
        onChange={(changed) =>
          onChange(rules.map((each) => (each.key === rule.key ? changed : each)))
        }
        onRemove={() => onChange(rules.filter(({ key }) => key !== rule.key))}
      />
    ))}
    <AccountChoicesStatus choices={choices} />
    <div>
      <Button onClick={() => onChange([...rules, createRuleDraft()])}>Add a rule</Button>
    </div>
  </>
)

type ReasonFieldProps = {
  reason: string
  fault: string | undefined
  onChange: (reason: string) => void
}

const ReasonField = ({ reason, fault, onChange }: ReasonFieldProps) => (
  <Field
    label="Why it is changed"
    hint="10 to 300 characters. Another admin reads it."
    error={fault}
  >
    {(control) => (
      <Textarea
        {...control}
        rows={2}
        maxLength={300}
        value={reason}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
)

/** Saving proposes the change; another admin must confirm it. */
export function PolicyEditor({ active, onProposed, onCancel }: PolicyEditorProps) {
  const context = usePageContext()
  const choices = useAccountChoices()
  const [draft, setDraft] = useState(() => toPolicyDraft(active.policy))
  const [reason, setReason] = useState('')
  const [typedFaults, setTypedFaults] = useState<FaultsByField>({})
  const previewMutation = useOperation<'policies.preview'>(context)
  const proposeMutation = useOperation<'policies.propose'>(context)
  const requestError = previewMutation.error ?? proposeMutation.error
  const shownFaults: FaultsByField = requestError ? toFaultsByField(requestError) : typedFaults
  const errorOutsideFields = requestError && !isShownAtFields(requestError) ? requestError : null
  const policyPreview = previewMutation.data?.data
  const changeRules = (rules: readonly RuleDraft[]) => {
    setDraft((now) => ({ ...now, rules }))
    previewMutation.reset()
  }
  const sendIfValid = (send: (policy: Policy) => void) => {
    const { policy, faults: typed } = parsePolicy(draft)
    setTypedFaults(typed)
    if (previewMutation.isPending || proposeMutation.isPending) return
    proposeMutation.reset()
    if (previewMutation.error) previewMutation.reset()
    if (Object.keys(typed).length === 0) send(policy)
  }
  const submitProposal = (event: FormEvent) => {
    event.preventDefault()
    sendIfValid((policy) =>
      proposeMutation.mutate(
        { operation: 'policies.propose', input: { based_on: active.version, policy, reason } },
        { onSuccess: onProposed },
      ),
    )
  }
  return (
    <form noValidate onSubmit={submitProposal} className="grid gap-3">
      <RuleEditorList
        rules={draft.rules}
        choices={choices}
        faults={shownFaults}
        onChange={changeRules}
      />
      <DurationFields
        draft={draft}
        faultOf={(field) => shownFaults[`policy.${field}`]}
        onChange={setDraft}
      />
      {policyPreview && (
        <Panel title="Preview">
          <PreviewPanel context={context} preview={policyPreview} />
        </Panel>
      )}
      <ReasonField reason={reason} fault={shownFaults.reason} onChange={setReason} />
      {errorOutsideFields && (
        <ErrorNotice
          urgent
          what="Nothing was saved"
          error={errorOutsideFields.toWire()}
          requestId={errorOutsideFields.requestId}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={proposeMutation.isPending}>
          Propose this policy
        </Button>
        <Button
          loading={previewMutation.isPending}
          onClick={() =>
            sendIfValid((policy) =>
              previewMutation.mutate({ operation: 'policies.preview', input: { policy } }),
            )
          }
        >
          Preview
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
