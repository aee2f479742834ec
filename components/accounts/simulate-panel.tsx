'use client'

import type { Outcome } from '@/components/kits/action/outcome'
import { Panel } from '@/components/kits/layout/panel'
import { Button } from '@/components/ui/button'
import { StatusBadge } from '@/components/ui/status-badge'
import { accountRecipes, stagesLeft, whyNotPlay } from '@/lib/domain/account-recipes'
import { type SimulatedStage, simulatedStages, whyNotSimulate } from '@/lib/domain/account-rules'
import type { Account } from '@/lib/operations/accounts.schema'
import { AccountDiff } from './account-diff'
import { StageStepper } from './stage-stepper'
import { usePlay } from './use-play'

type SimulatePanelProps = {
  account: Account
  correlationId: string
  /** Why a simulation is closed; takes what the account itself says against it. */
  closed: (rule: string | null) => string | null
  onOutcome: (outcome: Outcome | null) => void
}

/** Plays the service's verification: a stage at a time or a whole scenario, and what that changed. Drawn in the sandbox only. */
export function SimulatePanel({ account, correlationId, closed, onOutcome }: SimulatePanelProps) {
  const { playing, played, play } = usePlay({ account, correlationId, onOutcome })
  const { status } = account
  const press = (name: string, stages: readonly SimulatedStage[], rule: string | null) => ({
    loading: playing === name,
    disabledReason: playing !== null && playing !== name ? 'Another simulation is under way.' : closed(rule),
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
            <Button key={stage} {...press(`simulating ${stage}`, [stage], whyNotSimulate(stage, status))}>
              Simulate {stage}
            </Button>
          ))}
        </div>
        <p className="text-ink-3 text-xs">
          What verification would decide, at once. Representatives and linked bank accounts are taken along. Every stage is a request with a
          key of its own.
        </p>
        <ul aria-label="Recipes" className="grid">
          {accountRecipes.map((recipe) => (
            <li key={recipe.name} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-2 last:pb-0">
              <div className="min-w-52 flex-1">
                <p className="font-medium">{recipe.name}</p>
                <p className="text-ink-3 text-xs">{recipe.meaning}</p>
              </div>
              <Button size="small" {...press(`“${recipe.name}”`, stagesLeft(recipe, status), whyNotPlay(recipe, status))}>
                Play<span className="sr-only"> “{recipe.name}”</span>
              </Button>
            </li>
          ))}
        </ul>
        {played && <AccountDiff played={played} />}
      </div>
    </Panel>
  )
}
