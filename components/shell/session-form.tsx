'use client'

import { useRouter } from 'next/navigation'
import { CredentialsForm } from '@/components/kits/form/credentials-form'
import { usePageContext } from '@/components/kits/layout/page-context'
import { noteAnswer } from '@/lib/client/connection-status'
import { queryClient } from '@/lib/client/query-client'

/** Sign in again without leaving: the page, and what was typed on it, stays. Nothing that was pressed before is sent by it. */
export function SessionForm() {
  const { person } = usePageContext()
  const router = useRouter()
  const goOn = () => {
    noteAnswer(undefined, null)
    router.refresh()
    return queryClient().invalidateQueries()
  }
  return <CredentialsForm email={person.email} submitLabel="Sign in and continue" onDone={goOn} />
}
