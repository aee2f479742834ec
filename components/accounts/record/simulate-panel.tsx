'use client'

import { useRef, useState } from 'react'
import { isCertainRefusal, type Outcome } from '@/components/kits/action/outcome'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { StatusBadge, type Tone, ToneIcon } from '@/components/ui/tone'
import { toCallError } from '@/lib/client/call-error'
import { createIdempotencyKey } from '@/lib/client/drafts'
import { useOperation } from '@/lib/client/query/writes'
import { formatLimitValue, limitedPaymentTypes, paymentTypeNouns } from '@/lib/domain/limit-labels'
import { getStatusWords } from '@/lib/domain/status'
import {
  listAccountChanges,
  listRemainingStages,
  onboardingStages,
  type SimulatedStage,
  simulatedStages,
  simulationRecipes,
  whyNotRunRecipe,
  whyNotSimulate,
} from '@/lib/features/accounts/rules'
import type { Account } from '@/lib/operations/accounts.schema'

const operation = 'accounts.simulate' as const

type SimulationResult = { name: string; before: Account; after: Account }

type SimulationOptions = {
  account: Account
  correlationId: string
  onOutcome: (outcome: Outcome | null) => void
}

/**
 * Returns `play`, which simulates stages in order and stops at the first failure. Each stage is
 * sent with its own idempotency key. The key is kept while it is unclear if the stage was executed,
 * so that a retry cannot execute it twice.
 */
function useSimulation({ account, correlationId, onOutcome }: SimulationOptions) {
  const { environment } = usePageContext()
  const simulateMutation = useOperation<typeof operation>({ environment, account: null })
  const idempotencyKeys = useRef<Partial<Record<SimulatedStage, string>>>({})
  const [runningName, setRunningName] = useState<string | null>(null)
  const [lastResult, setLastResult] = useState<SimulationResult | null>(null)

  const simulateStage = async (stage: SimulatedStage): Promise<Account | null> => {
    idempotencyKeys.current[stage] ??= createIdempotencyKey()
    const simulationRequest = {
      operation,
      input: { id: account.id, final_status: stage },
      idempotencyKey: idempotencyKeys.current[stage],
      correlationId,
    }
    const simulationAnswer = await simulateMutation
      .mutateAsync(simulationRequest)
      .catch((cause: unknown) => {
        const error = toCallError(cause)
        // A new key is safe if the service certainly refused the request, or if the action log
        // contains it (`error.action`): the action area then tracks its outcome.
        if (error.action || isCertainRefusal(error.code)) delete idempotencyKeys.current[stage]
        onOutcome({
          operation,
          action: error.action,
          error: { ...error.toWire(), requestId: error.requestId, local: error.local },
        })
        return null
      })
    if (!simulationAnswer) return null
    delete idempotencyKeys.current[stage]
    onOutcome({ operation, action: simulationAnswer.action, replayed: simulationAnswer.replayed })
    return simulationAnswer.data
  }
  const runStages = async (name: string, stages: readonly SimulatedStage[]) => {
    onOutcome(null)
    setRunningName(name)
    let latestAccount = account
    for (const stage of stages) {
      const simulatedAccount = await simulateStage(stage)
      if (!simulatedAccount) break
      latestAccount = simulatedAccount
      setLastResult({ name, before: account, after: latestAccount })
    }
    setRunningName(null)
  }
  return { playing: runningName, played: lastResult, play: runStages }
}

/** Highlights no stage if the status is none of them, such as `rejected`. */
function StageStepper({ status }: { status: string }) {
  const currentIndex = (onboardingStages as readonly string[]).indexOf(status)
  return (
    <ol aria-label="Stages" className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {onboardingStages.map((stage, index) => (
        <SimulatedStageItem
          key={stage}
          stage={stage}
          isFirst={index === 0}
          place={Math.sign(index - currentIndex)}
        />
      ))}
      {currentIndex < 0 && (
        <li className="text-ink-3 text-xs">
          {getStatusWords('account', status).label} is not one of these stages.
        </li>
      )}
    </ol>
  )
}

/** `place` is -1 for a past stage, 0 for the current one and 1 for a later one. */
function SimulatedStageItem({
  stage,
  isFirst,
  place,
}: {
  stage: (typeof onboardingStages)[number]
  isFirst: boolean
  place: number
}) {
  const isCurrent = place === 0
  const progressTones: readonly Tone[] = ['good', stage === 'active' ? 'good' : 'moving', 'neutral']
  return (
    <li aria-current={isCurrent ? 'step' : undefined} className="flex items-center gap-2">
      {!isFirst && (
        <span aria-hidden="true" className={cn('h-px w-6', place <= 0 ? 'bg-good' : 'bg-line')} />
      )}
      <span
        className={cn(
          'inline-flex h-7 items-center gap-1.5 rounded-full border px-2.5 text-xs',
          isCurrent
            ? 'border-sandbox bg-sandbox-fill font-semibold text-sandbox'
            : 'border-line text-ink-2',
        )}
      >
        <ToneIcon tone={progressTones[place + 1] ?? 'neutral'} />
        {getStatusWords('account', stage).label}
      </span>
    </li>
  )
}

function AccountDiff({ played: { name, before, after } }: { played: SimulationResult }) {
  const accountDifferences = listAccountChanges(before, after)
  if (accountDifferences.length === 0)
    return <p role="status">{name} did not change the status or the capabilities.</p>
  return (
    <div className="grid gap-2 border-line border-t pt-2">
      <table className="w-full text-sm">
        <caption className="pb-1 text-left font-medium">What {name} changed</caption>
        <thead className="text-ink-3 text-xs">
          <tr>
            {['Field', 'Before', 'After'].map((head) => (
              <th key={head} scope="col" className="pr-3 pb-1 text-left font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {accountDifferences.map((change) => (
            <tr key={change.what} className="border-line border-t align-top">
              <th scope="row" className="py-1 pr-3 text-left font-normal text-ink-2">
                {change.what}
              </th>
              <td className="wrap-anywhere py-1 pr-3 text-ink-2">{change.before || 'nothing'}</td>
              <td className="wrap-anywhere py-1 font-medium">{change.after || 'nothing'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {after.status === 'active' && <p className="text-ink-2">{formatLimitSentence(after)}</p>}
    </div>
  )
}

/**
 * States the maximum amount of one charge and one payout. The service puts larger payments on hold.
 */
const formatLimitSentence = ({ settings }: Account) =>
  `Limits in force: ${limitedPaymentTypes
    .map(
      (type) =>
        `one ${paymentTypeNouns[type].one} up to ${formatLimitValue('max_amount', settings?.[type]?.max_amount)}`,
    )
    .join(', ')}.`

type SimulatePanelProps = {
  account: Account
  correlationId: string
  /**
   * Returns the reason that a simulation is unavailable, or null. `rule` is the reason that follows
   * from the account's status. Reasons of the page, such as missing roles, take precedence over it.
   */
  disabledReasonOf: (rule: string | null) => string | null
  onOutcome: (outcome: Outcome | null) => void
}

/** Simulates the service's verification, by stage or by scenario. Sandbox only. */
export function SimulatePanel({
  account,
  correlationId,
  disabledReasonOf,
  onOutcome,
}: SimulatePanelProps) {
  const { playing, played, play } = useSimulation({ account, correlationId, onOutcome })
  const { status } = account
  const toButtonProps = (name: string, stages: readonly SimulatedStage[], rule: string | null) => ({
    loading: playing === name,
    disabledReason:
      playing !== null && playing !== name
        ? 'Another simulation is running.'
        : disabledReasonOf(rule),
    onClick: () => void play(name, stages),
  })
  return (
    <Panel
      title="Simulate onboarding"
      aside={<StatusBadge tone="sandbox">Sandbox only</StatusBadge>}
      className="border-sandbox/40 print:hidden"
    >
      <div className="grid gap-3">
        <StageStepper status={status} />
        <div className="flex flex-wrap gap-2">
          {simulatedStages.map((stage) => (
            <Button
              key={stage}
              {...toButtonProps(`simulating ${stage}`, [stage], whyNotSimulate(stage, status))}
            >
              Simulate {stage}
            </Button>
          ))}
        </div>
        <p className="text-ink-3 text-xs">
          Sets the result of verification immediately, including representatives and linked bank
          accounts. Each stage is a separate request.
        </p>
        <ul aria-label="Recipes" className="grid">
          {simulationRecipes.map((recipe) => (
            <li
              key={recipe.name}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-2 last:pb-0"
            >
              <div className="min-w-52 flex-1">
                <p className="font-medium">{recipe.name}</p>
                <p className="text-ink-3 text-xs">{recipe.meaning}</p>
              </div>
              <Button
                size="small"
                {...toButtonProps(
                  `“${recipe.name}”`,
                  listRemainingStages(recipe, status),
                  whyNotRunRecipe(recipe, status),
                )}
              >
                Run<span className="sr-only"> “{recipe.name}”</span>
              </Button>
            </li>
          ))}
        </ul>
        {played && <AccountDiff played={played} />}
      </div>
    </Panel>
  )
}
