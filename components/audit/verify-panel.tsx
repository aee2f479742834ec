'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { DownloadButton } from '@/components/kits/layout/download-button'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Fact, FactList, Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Progress } from '@/components/ui/progress'
import { call } from '@/lib/client/call'
import type { CallError } from '@/lib/client/call-error'
import { capitalizeFirst } from '@/lib/formats'
import type { AuditVerification } from '@/lib/operations/audit'
import { toApiRequestParts } from '@/lib/operations/http'

const formatCount = (value: number) => value.toLocaleString('en-US')

function VerificationResult({ walk }: { walk: AuditVerification }) {
  if (walk.bad) {
    return (
      <Notice tone="bad" title={`Altered at entry ${formatCount(walk.bad.seq)}`}>
        <p>
          {capitalizeFirst(walk.bad.why)}. Entries before it are intact. Keep the store as it is and
          tell whoever is responsible for security.
        </p>
      </Notice>
    )
  }
  return (
    <Notice tone="good" title={`Verified: ${formatCount(walk.rows)} entries, none altered`}>
      <FactList>
        <Fact name="Last row’s hash">
          <code className="break-all text-xs">{walk.hash}</code>
        </Fact>
        <Fact name="Last signed row">
          {walk.signed ? (
            <>
              {formatCount(walk.signed.seq)}, <RelativeTime at={walk.signed.at} show="ago" />
            </>
          ) : (
            'none yet'
          )}
        </Fact>
        <Fact name="Signing key">
          {walk.signed && <code className="text-xs">{walk.signed.key}</code>}
        </Fact>
      </FactList>
    </Notice>
  )
}

type VerifyPanelProps = {
  /** The reason the user may not verify the audit; null if the user may. */
  whyNot: string | null
  filter: Readonly<Record<string, string>>
  mayExportAll: boolean
}

export function VerifyPanel({ whyNot, filter, mayExportAll }: VerifyPanelProps) {
  const context = usePageContext()
  const [walk, setWalk] = useState<AuditVerification | null>(null)
  const [failed, setFailed] = useState<{ what: string; error: CallError } | null>(null)
  const verifyMutation = useMutation({
    mutationFn: async () => {
      let currentVerification: AuditVerification | null = null
      do {
        currentVerification = (
          await call('audit.verify', { after: currentVerification?.rows ?? 0 }, context)
        ).data as AuditVerification
        setWalk(currentVerification)
      } while (!currentVerification.done)
    },
    onMutate: () => {
      setFailed(null)
      setWalk(null)
    },
    onError: (error) => setFailed({ what: 'The audit was not verified to its end', error }),
  })
  const buildExportUrl = (exportFilter: Readonly<Record<string, string>>) =>
    toApiRequestParts('audit.export', exportFilter, { environment: context.environment }).url
  const showExportError = (error: CallError | null) =>
    setFailed(error && { what: 'No file was saved', error })
  return (
    <Panel
      title="Proof"
      aside={
        <span className="flex flex-wrap justify-end gap-2">
          <DownloadButton url={buildExportUrl(filter)} onFailed={showExportError}>
            {Object.keys(filter).length > 0 ? 'Export these rows' : 'Export this environment'}
          </DownloadButton>
          {mayExportAll && (
            <DownloadButton url={buildExportUrl({ whole: 'yes' })} onFailed={showExportError}>
              Export the whole audit
            </DownloadButton>
          )}
          <Button
            size="small"
            variant="primary"
            loading={verifyMutation.isPending}
            disabledReason={whyNot}
            onClick={() => verifyMutation.mutate()}
          >
            Verify
          </Button>
        </span>
      }
    >
      <div className="grid gap-3 text-sm">
        <p className="text-ink-2">
          Each row is chained to the row before it. Every minute, the newest row is signed and the
          signature is stored outside the database. Verify checks all rows of all environments. An
          export contains all that is needed to verify it without Paydesk.
        </p>
        {failed && (
          <ErrorNotice
            urgent
            what={failed.what}
            error={failed.error.toWire()}
            requestId={failed.error.requestId}
          />
        )}
        <div role="status">
          {walk && !walk.done && (
            <div className="grid gap-1">
              <Progress value={walk.total > 0 ? walk.rows / walk.total : 0} label="Rows checked" />
              <p className="text-ink-3 text-xs">
                {formatCount(walk.rows)} of {formatCount(walk.total)} rows
              </p>
            </div>
          )}
          {walk?.done && <VerificationResult walk={walk} />}
        </div>
      </div>
    </Panel>
  )
}
