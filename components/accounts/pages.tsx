'use client'

import dynamic from 'next/dynamic'
import { usePageContext } from '@/components/kits/layout/page-context'
import { FormSkeleton } from '@/components/kits/layout/page-skeletons'
import { RecordPanel } from '@/components/kits/record/record-panel'
import {
  accountNouns,
  linkedBankAccountNouns,
  representativeNouns,
} from '@/lib/features/accounts/labels'
import { addAccountPrefix } from './paths'

const EditAccountForm = dynamic(
  () =>
    import('@/components/accounts/forms/edit-account-form').then(
      (module) => module.EditAccountForm,
    ),
  {
    ssr: false,
    loading: FormSkeleton,
  },
)

export const EditAccountView = ({ id }: { id: string }) => (
  <RecordPanel
    id={id}
    knownAccount={addAccountPrefix(id)}
    get="accounts.get"
    nouns={accountNouns}
    skeleton={<FormSkeleton />}
  >
    {(record) => <EditAccountForm key={record.id} {...record} />}
  </RecordPanel>
)

export const NewAccountView = dynamic(
  () =>
    import('@/components/accounts/forms/new-account-form').then((module) => module.NewAccountForm),
  {
    ssr: false,
    loading: FormSkeleton,
  },
)

export const NewOrganizationView = dynamic(
  () =>
    import('@/components/accounts/organizations/forms/form').then(
      (module) => module.OrganizationForm,
    ),
  {
    ssr: false,
    loading: FormSkeleton,
  },
)

const EditLinkedAccountForm = dynamic(
  () =>
    import('@/components/accounts/linked-bank-accounts/forms/edit-linked-form').then(
      (module) => module.EditLinkedBankAccountForm,
    ),
  { ssr: false, loading: FormSkeleton },
)

export const EditLinkedAccountView = ({ id }: { id: string }) => (
  <RecordPanel
    id={id}
    knownAccount={null}
    get="linked_bank_accounts.get"
    nouns={linkedBankAccountNouns}
    skeleton={<FormSkeleton />}
  >
    {(record) => <EditLinkedAccountForm key={record.id} {...record} />}
  </RecordPanel>
)

const NewLinkedAccountForm = dynamic(
  () =>
    import('@/components/accounts/linked-bank-accounts/forms/new-linked-form').then(
      (module) => module.NewLinkedAccountForm,
    ),
  { ssr: false, loading: FormSkeleton },
)

/** The key remounts the form if the account changes, because each account has its own draft. */
export function NewLinkedAccountView() {
  const { account } = usePageContext()
  return <NewLinkedAccountForm key={account} />
}

const EditRepresentativeForm = dynamic(
  () =>
    import('@/components/accounts/representatives/forms/edit-representative-form').then(
      (module) => module.EditRepresentativeForm,
    ),
  { ssr: false, loading: FormSkeleton },
)

export const EditRepresentativeView = ({ id }: { id: string }) => (
  <RecordPanel
    id={id}
    knownAccount={null}
    get="representatives.get"
    nouns={representativeNouns}
    skeleton={<FormSkeleton />}
  >
    {(record) => <EditRepresentativeForm key={record.id} {...record} />}
  </RecordPanel>
)

const NewRepresentativeForm = dynamic(
  () =>
    import('@/components/accounts/representatives/forms/new-representative-form').then(
      (module) => module.NewRepresentativeForm,
    ),
  { ssr: false, loading: FormSkeleton },
)

/** The key remounts the form if the account changes, because each account has its own draft. */
export function NewRepresentativeView() {
  const { account } = usePageContext()
  return <NewRepresentativeForm key={account} />
}
