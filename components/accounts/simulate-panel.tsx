'use client'

import { useState } from 'react'
import type { Outcome } from '@/components/kits/action/outcome'
import { useWriteForm } from '@/components/kits/action/use-write-form'
import { Panel } from '@/components/kits/layout/panel'
import { Button } from '@/components/ui/button'
import { StatusBadge } from '@/components/ui/status-badge'
import { accountChanges, type SimulatedStage, simulatedStages, whyNotSimulate } from '@/lib/domain/account-rules'
import { type Account, accountSchemas } from '@/lib/operations/accounts.schema'
import type { ActionView } from '@/lib/operations/answer'
import { AccountDiff } from './account-diff'
import { StageStepper } from './stage-stepper'

type SimulatePanelProps = {
  account: Account
  actions: readonly ActionView[]
  correlationId: string
  closed: (stage: SimulatedStage, rule: string | null) => string | null
  onOutcome: (outcome: Outcome | null) => void
}

type Step = { stage: SimulatedStage; before: Account; after: Account }

/** Plays the service's verification: the stages of the way in, a step at a time, and what each step changed. Drawn in the sandbox only. */
export function SimulatePanel({ account, actions, correlationId, closed, onOutcome }: SimulatePanelProps) {
  const [last, setLast] = useState<Step | null>(null)
  const [done, setDone] = useState(0)
  // Every simulation that ended makes room for another under a key of its own.
  const booked = actions.filter((action) => action.operation === 'accounts.simulate').length
  return (
    <Panel
      title="Simulate onboarding"
      aside={<StatusBadge tone="sandbox">Sandbox only</StatusBadge>}
      className="border-sandbox/40 print:hidden"
    >
      <div className="grid gap-3">
        <StageStepper status={account.status} />
        <div className="flex flex-wrap gap-2">
          {simulatedStages.map((stage) => (
            <SimulateButton
              key={`${stage} ${booked} ${done}`}
              target={`${account.id} ${stage} ${booked} ${done}`}
              stage={stage}
              account={account}
              correlationId={correlationId}
              closed={closed(stage, whyNotSimulate(stage, account.status))}
              onOutcome={onOutcome}
              onStep={(step) => {
                setLast(step)
                setDone(done + 1)
              }}
            />
          ))}
        </div>
        <p className="text-ink-3 text-xs">
          What verification would decide, at once. Representatives and linked bank accounts are taken along. Every press is a request with a
          key of its own.
        </p>
        {last && <AccountDiff stage={last.stage} changes={accountChanges(last.before, last.after)} />}
      </div>
    </Panel>
  )
}

const opens: Record<SimulatedStage, string> = { onboarding: 'Simulate onboarding', active: 'Simulate active' }

type SimulateButtonProps = Pick<SimulatePanelProps, 'account' | 'correlationId' | 'onOutcome'> & {
  target: string
  stage: SimulatedStage
  closed: string | null
  onStep: (step: Step) => void
}

function SimulateButton({ target, stage, account, correlationId, closed, onOutcome, onStep }: SimulateButtonProps) {
  const write = useWriteForm<'accounts.simulate', { final_status: SimulatedStage }>({
    operation: 'accounts.simulate',
    target,
    account: null,
    correlationId,
    values: { final_status: stage },
    schema: accountSchemas['accounts.simulate'].input,
    toInput: ({ final_status }) => ({ id: account.id, final_status }),
    onOutcome,
    onDone: ({ data }) => onStep({ stage, before: account, after: data }),
  })
  return (
    <Button loading={write.pending} disabledReason={closed} onClick={() => void write.send()}>
      {opens[stage]}
    </Button>
  )
}
