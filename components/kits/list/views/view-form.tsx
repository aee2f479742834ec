'use client'

import { type FormEvent, useState } from 'react'
import { AccountChoicesStatus, useAccountChoices } from '@/components/kits/form/account-choices'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Button } from '@/components/ui/button'
import { Field, Select } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useOperation } from '@/lib/client/query/writes'
import type { PageContext } from '@/lib/operations/page-context'
import type { SavedView } from '@/lib/operations/saved-view'
import type { ListResource } from '@/lib/routes'

/** An option for who can see a view: its label, and the request fields that set it. */
type Audience = {
  id: 'own' | 'all' | 'account' | 'now'
  label: string
  says: { shared: boolean; accounts?: string[] | null }
}

const toAccountsAudience = (id: Audience['id'], label: string, accounts: string[]): Audience => ({
  id,
  label,
  says: { shared: true, accounts },
})

const hasSameAccounts = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((account) => other.includes(account))

/**
 * Returns the widest audience with which a person may share a view: people with access to the whole
 * platform. If the person's own access is limited to some accounts, it is people with a role for
 * all of these accounts, or null if there are fewer than two.
 */
function findWidestAudience({ isLimited, accounts }: PageContext): Audience | null {
  if (!isLimited)
    return {
      id: 'all',
      label: 'People who see all accounts',
      says: { shared: true, accounts: null },
    }
  if (accounts.length < 2) return null
  return {
    id: 'all',
    label: `People with a role for all your ${accounts.length} accounts`,
    says: { shared: true, accounts: null },
  }
}

/** Returns the accounts to whose people an audience is limited. Null means the whole platform. */
const listAudienceAccounts = (
  { id, says }: Audience,
  context: PageContext,
): readonly string[] | null =>
  id === 'all' && context.isLimited
    ? context.accounts.map((account) => account.id)
    : (says.accounts ?? null)

function isSharedWith(audience: Audience, view: SavedView, context: PageContext): boolean {
  if (!view.shared || !audience.says.shared) return view.shared === audience.says.shared
  const accounts = listAudienceAccounts(audience, context)
  return accounts === null || view.accounts === null
    ? accounts === view.accounts
    : hasSameAccounts(accounts, view.accounts)
}

/**
 * Returns the audiences to choose from, and the id of the current one (`now`). The audiences are:
 * only the person, the widest audience, and people with a role for one account. If the view is
 * shared with another audience, that one is added.
 */
function listAudiences(
  context: PageContext,
  view: SavedView | undefined,
): { audiences: Audience[]; now: Audience['id'] } {
  const getAccountName = (id: string) =>
    context.accounts.find((account) => account.id === id)?.name ?? id
  const audienceAccountId =
    context.account ?? (context.isLimited ? context.accounts[0]?.id : undefined)
  const possibleAudiences: (Audience | null)[] = [
    { id: 'own', label: 'Only you', says: { shared: false } },
    findWidestAudience(context),
    audienceAccountId
      ? toAccountsAudience(
          'account',
          `People with a role for ${getAccountName(audienceAccountId)}`,
          [audienceAccountId],
        )
      : null,
  ]
  const offeredAudiences = possibleAudiences.filter((audience) => audience !== null)
  if (!view) return { audiences: offeredAudiences, now: 'own' }
  const matchingAudience = offeredAudiences.find((audience) =>
    isSharedWith(audience, view, context),
  )
  if (matchingAudience) return { audiences: offeredAudiences, now: matchingAudience.id }
  const audienceLabel = view.accounts
    ? `People with a role for ${view.accounts.map(getAccountName).join(' and ')}`
    : 'People who see all accounts'
  const currentAudience: Audience = {
    id: 'now',
    label: audienceLabel,
    says: view.accounts ? { shared: true, accounts: view.accounts } : { shared: true },
  }
  return { audiences: [...offeredAudiences, currentAudience], now: 'now' }
}

type SavedViewFormProps = {
  list: ListResource
  search: string
  view: SavedView | undefined
  onDone: (said: string) => void
}

/**
 * A form that saves the current filters as a view. If a view is open, the form renames, shares or
 * removes it.
 */
export function SavedViewForm(props: SavedViewFormProps) {
  const context = usePageContext()
  const accountChoices = useAccountChoices()
  return (
    <>
      <AccountChoicesStatus choices={accountChoices} className="mb-2" />
      {!accountChoices.reading && (
        <AudienceForm {...props} context={{ ...context, accounts: accountChoices.accounts }} />
      )}
    </>
  )
}

type AudienceFieldProps = {
  audiences: readonly Audience[]
  chosen: Audience['id']
  onChoose: (id: Audience['id']) => void
}

const AudienceField = ({ audiences, chosen, onChoose }: AudienceFieldProps) => (
  <Field label="Who sees it" hint="Its name and its filters">
    {(control) => (
      <Select
        {...control}
        value={chosen}
        onChange={(event) =>
          onChoose(audiences.find(({ id }) => id === event.target.value)?.id ?? 'own')
        }
      >
        {audiences.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </Select>
    )}
  </Field>
)

type SavedViewFormButtonsProps = {
  view: SavedView | undefined
  saving: boolean
  onRemove: (id: string) => void
}

function SavedViewFormButtons({ view, saving, onRemove }: SavedViewFormButtonsProps) {
  const disabledReason =
    view && !view.mayChange
      ? `This view is ${view.owner}’s: only they or an admin can change it.`
      : null
  return (
    <div className="flex items-center justify-between gap-2">
      <Button
        type="submit"
        variant="primary"
        size="small"
        loading={saving}
        disabledReason={disabledReason}
      >
        {view ? 'Save changes' : 'Save view'}
      </Button>
      {view && (
        <Button
          size="small"
          variant="quiet"
          disabledReason={disabledReason}
          onClick={() => onRemove(view.id)}
        >
          Remove
        </Button>
      )}
    </div>
  )
}

function AudienceForm({
  list,
  search,
  view,
  onDone,
  context,
}: SavedViewFormProps & { context: PageContext }) {
  const { environment, person } = context
  const [name, setName] = useState(view?.name ?? '')
  const { audiences, now } = listAudiences(context, view)
  const [chosen, setChosen] = useState(now)
  const saveMutation = useOperation<'views.create' | 'views.update' | 'views.delete'>({
    environment,
    account: null,
  })
  const canShare = person.roles.some((role) => role !== 'viewer')

  const saveFault = saveMutation.error
    ? (saveMutation.error.items[0]?.detail ?? saveMutation.error.message)
    : ''
  const sendSavedViewRequest = (
    request: NonNullable<typeof saveMutation.variables>,
    successText: string,
  ) => saveMutation.mutate(request, { onSuccess: () => onDone(successText) })
  const saveSavedView = (event: FormEvent) => {
    event.preventDefault()
    const sharingFields = audiences.find((audience) => audience.id === chosen)?.says
    if (view)
      sendSavedViewRequest(
        { operation: 'views.update', input: { id: view.id, name, ...sharingFields } },
        'The view was changed',
      )
    else
      sendSavedViewRequest(
        { operation: 'views.create', input: { list, name, search, ...sharingFields } },
        'The view was saved',
      )
  }
  const removeSavedView = (id: string) =>
    sendSavedViewRequest({ operation: 'views.delete', input: { id } }, 'The view was removed')
  return (
    <form onSubmit={saveSavedView} noValidate className="grid gap-2">
      <Field label="Name" error={saveFault}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            value={name}
            maxLength={60}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {canShare && <AudienceField audiences={audiences} chosen={chosen} onChoose={setChosen} />}
      <p className="text-ink-3 text-xs">
        Keeps filters, tab, order and columns. The account and the page are those of whoever opens
        it.
      </p>
      <SavedViewFormButtons
        view={view}
        saving={saveMutation.isPending}
        onRemove={removeSavedView}
      />
    </form>
  )
}
