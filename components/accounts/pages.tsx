'use client'

import { lateForm } from '@/components/kits/form/late-form'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordPanel } from '@/components/kits/record/record-panel'
import { accountNouns, linkedNouns, representativeNouns } from '@/lib/features/accounts/labels'
import { scopeOf } from './paths'

const EditAccountForm = lateForm(() => import('@/components/accounts/forms/edit-account-form').then((module) => module.EditAccountForm))

/** The page that changes an account, filled from a reading of now. */
export const EditAccount = ({ id }: { id: string }) => (
  <RecordPanel id={id} knownAccount={scopeOf(id)} get="accounts.get" nouns={accountNouns}>
    {(record) => <EditAccountForm key={record.id} {...record} />}
  </RecordPanel>
)

const NewAccountForm = lateForm(() => import('@/components/accounts/forms/new-account-form').then((module) => module.NewAccountForm))

export const NewAccount = ({ organization }: { organization: string | null }) => <NewAccountForm organization={organization} />

const OrganizationForm = lateForm(() => import('@/components/accounts/organizations/form').then((module) => module.OrganizationForm))

export const NewOrganization = () => <OrganizationForm />

const EditLinkedForm = lateForm(() =>
  import('@/components/accounts/linked-bank-accounts/forms/edit-linked-form').then((module) => module.EditLinkedForm),
)

/** The page that corrects a linked bank account, filled from a reading of now. */
export const EditLinked = ({ id }: { id: string }) => (
  <RecordPanel id={id} knownAccount={null} get="linked_bank_accounts.get" nouns={linkedNouns}>
    {(record) => <EditLinkedForm key={record.id} {...record} />}
  </RecordPanel>
)

const NewLinkedForm = lateForm(() =>
  import('@/components/accounts/linked-bank-accounts/forms/new-linked-form').then((module) => module.NewLinkedForm),
)

/** The page that links a bank account. What is typed for one account never turns up in the form of another. */
export function NewLinked() {
  const { account } = usePageContext()
  return <NewLinkedForm key={account} />
}

const EditRepresentativeForm = lateForm(() =>
  import('@/components/accounts/representatives/forms/edit-representative-form').then((module) => module.EditRepresentativeForm),
)

/** The page that changes a representative, filled from a reading of now. */
export const EditRepresentative = ({ id }: { id: string }) => (
  <RecordPanel id={id} knownAccount={null} get="representatives.get" nouns={representativeNouns}>
    {(record) => <EditRepresentativeForm key={record.id} {...record} />}
  </RecordPanel>
)

const NewRepresentativeForm = lateForm(() =>
  import('@/components/accounts/representatives/forms/new-representative-form').then((module) => module.NewRepresentativeForm),
)

/** The page that adds a representative. What is typed for one account never turns up in the form of another. */
export function NewRepresentative() {
  const { account } = usePageContext()
  return <NewRepresentativeForm key={account} />
}
