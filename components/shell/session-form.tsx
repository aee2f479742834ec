'use client'

import { useRouter } from 'next/navigation'
import { CredentialsForm } from '@/components/kits/form/credentials-form'
import { useDesk } from '@/components/kits/layout/desk-context'
import { queryClient } from '@/lib/client/query-client'
import { noteAnswer } from '@/lib/client/trouble'

/** Sign in again without leaving: the page, and what was typed on it, stays. Nothing that was pressed before is sent by it. */
export function SessionForm() {
  const { person } = useDesk()
  const router = useRouter()
  const goOn = () => {
    noteAnswer(undefined, null)
    router.refresh()
    return queryClient().invalidateQueries()
  }
  return <CredentialsForm email={person.email} submitLabel="Sign in and go on" onDone={goOn} />
}
