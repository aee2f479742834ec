'use client'

import { useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { OutsideText, PersonName } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { Badge } from '@/components/ui/tone'
import { call } from '@/lib/client/call'
import { asCallError, type CallError } from '@/lib/client/call-error'
import type { PolicyPreview, PolicyVersion } from '@/lib/operations/policies'
import { PreviewPanel } from './preview-panel'
import { CoolingOff, RuleList } from './rule-list'

type Doing = 'preview' | 'confirm' | 'reject'

type ProposalProps = { proposed: PolicyVersion; active: PolicyVersion; disabledReason: string | null; onDone: () => void }

/** A policy that waits for a second admin: what would change, what it would have held back, and the answer. */
export function Proposal({ proposed, active, disabledReason, onDone }: ProposalProps) {
  const context = usePageContext()
  const { version, policy, own } = proposed
  const [preview, setPreview] = useState<PolicyPreview | null>(null)
  const [failed, setFailed] = useState<CallError | null>(null)
  const [busy, setBusy] = useState<Doing | null>(null)
  const run = async (which: Doing) => {
    setBusy(which)
    setFailed(null)
    try {
      if (which === 'preview') setPreview((await call('policies.preview', { policy }, context)).data ?? null)
      else {
        await call(`policies.${which}`, { version: String(version) }, context)
        onDone()
      }
    } catch (cause) {
      setFailed(asCallError(cause))
    }
    setBusy(null)
  }
  return (
    <Panel title={`Proposed: version ${version}`} aside={<Badge tone="held">Awaiting another admin</Badge>}>
      <div className="grid gap-3">
        <p className="text-sm">
          <PersonName own={own} name={proposed.proposed_by ?? ''} /> <RelativeTime at={proposed.proposed_at} show="ago" />: “
          <OutsideText>{proposed.reason ?? ''}</OutsideText>”
        </p>
        <RuleList context={context} label="Rules of the proposed policy" policy={policy} before={active.policy} />
        <CoolingOff policy={policy} />
        {preview && <PreviewPanel context={context} preview={preview} />}
        {failed && <ErrorNotice urgent what="Nothing was changed" error={failed.toWire()} requestId={failed.requestId} />}
        <div className="flex flex-wrap items-center gap-2">
          <Button variant="primary" loading={busy === 'confirm'} disabledReason={disabledReason} onClick={() => void run('confirm')}>
            Put in force
          </Button>
          <Button loading={busy === 'reject'} disabledReason={own ? null : disabledReason} onClick={() => void run('reject')}>
            {own ? 'Withdraw' : 'Reject'}
          </Button>
          <Button loading={busy === 'preview'} disabledReason={own ? null : disabledReason} onClick={() => void run('preview')}>
            Preview
          </Button>
        </div>
        {disabledReason && <p className="text-ink-3 text-xs">{disabledReason}</p>}
      </div>
    </Panel>
  )
}
