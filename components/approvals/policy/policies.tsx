'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PageHeader, pageClasses } from '@/components/kits/layout/page-header'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { Badge } from '@/components/ui/tone'
import type { PoliciesView, PolicyVersion } from '@/lib/operations/policies'
import { PolicyEditor } from './policy-editor'
import { PolicyProposalPanel } from './proposal'
import { PolicyDurations, RuleList } from './rule-list'

type PoliciesProps = { view: PoliciesView; whyNotChange: string | null }

/** Another admin must confirm a proposed version. */
export function PoliciesPageView({ view, whyNotChange }: PoliciesProps) {
  const { active, proposed, earlier } = view
  const context = usePageContext()
  const router = useRouter()
  const [isEditing, setIsEditing] = useState(false)
  const closeEditor = () => {
    setIsEditing(false)
    router.refresh()
  }
  const changeDisabledReason = proposed
    ? `Version ${proposed.version} waits for an admin: decide it first.`
    : null
  const changePolicyButton = !isEditing && (
    <Button
      disabledReason={whyNotChange ?? changeDisabledReason}
      onClick={() => setIsEditing(true)}
    >
      Change the policy
    </Button>
  )
  return (
    <div className={pageClasses.text}>
      <PageHeader
        title="Approval policy"
        meta="Actions that need a second approval, in every environment"
        actions={changePolicyButton}
      />
      {proposed && (
        <PolicyProposalPanel
          proposed={proposed}
          active={active}
          disabledReason={whyNotChange ?? view.disabled_reason}
          onDone={closeEditor}
        />
      )}
      {isEditing ? (
        <PolicyEditor
          active={active}
          onProposed={closeEditor}
          onCancel={() => setIsEditing(false)}
        />
      ) : (
        <Panel title="Active" aside={<ActiveSinceText version={active} />}>
          <div className="grid gap-3">
            <RuleList context={context} label="Active rules" policy={active.policy} />
            <PolicyDurations policy={active.policy} />
            <p className="text-ink-3 text-xs">
              Nobody approves their own request, nor one on a bank account (paykey) or customer they
              changed within 24 hours. A request expires after 24 hours. For 24 hours after a change
              of the policy, the person who changed it must follow the stricter of the old and the
              new rules.
            </p>
          </div>
        </Panel>
      )}
      {earlier.length > 0 && <EarlierVersionList versions={earlier} />}
    </div>
  )
}

const ActiveSinceText = ({ version: { version, decided_at } }: { version: PolicyVersion }) => (
  <span className="text-ink-3 text-xs">
    {version === 0 ? (
      'Default policy'
    ) : (
      <>
        Version {version}, since <RelativeTime at={decided_at} show="ago" />
      </>
    )}
  </span>
)

const EarlierVersionList = ({ versions }: { versions: readonly PolicyVersion[] }) => (
  <Panel title="Earlier versions">
    <ul className="grid text-sm">
      {versions.map(({ version, state, proposed_by, decided_by, decided_at, reason }) => (
        <li
          key={version}
          className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-line border-b py-1.5 last:border-b-0"
        >
          <span className="font-medium">Version {version}</span>
          <Badge>{state}</Badge>
          <ExternalText className="min-w-0 text-ink-2">{reason ?? ''}</ExternalText>
          <span className="text-ink-3 text-xs">
            <ExternalText>{[proposed_by, decided_by].filter(Boolean).join(', then ')}</ExternalText>{' '}
            <RelativeTime at={decided_at} show="ago" />
          </span>
        </li>
      ))}
    </ul>
  </Panel>
)
