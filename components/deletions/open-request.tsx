'use client'

import { useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { asCallError, type CallError } from '@/lib/client/call-error'
import { withdrawDeletion } from '@/lib/client/deletions'
import { rolesText } from '@/lib/domain/permissions'
import { provers } from '@/lib/operations/define'
import type { DeletionView } from '@/lib/operations/deletion'
import { RequestFacts } from './request-facts'

/** A request as it stands, with the way to take it back: a mistake here costs nothing yet. */
export function OpenRequest({ request, onChanged }: { request: DeletionView; onChanged: () => void }) {
  const { person } = useDesk()
  const [sending, setSending] = useState(false)
  const [failed, setFailed] = useState<CallError | null>(null)
  const may = person.roles.some((role) => provers.includes(role))
  const withdraw = async () => {
    setSending(true)
    setFailed(null)
    await withdrawDeletion(request.id).catch((cause: unknown) => setFailed(asCallError(cause)))
    setSending(false)
    onChanged()
  }
  return (
    <div className="grid gap-3">
      <RequestFacts request={request} />
      {failed && <ErrorNotice urgent what="The request was not taken back" error={failed.toWire()} requestId={failed.requestId} />}
      <div>
        <Button
          size="small"
          loading={sending}
          disabledReason={may ? null : `Only ${rolesText(provers)} can take a request back.`}
          onClick={() => void withdraw()}
        >
          Take the request back
        </Button>
      </div>
    </div>
  )
}
