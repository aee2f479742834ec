'use client'

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { asCallError } from '@/lib/client/call-error'
import { request } from '@/lib/client/request'
import type { SavedView } from '@/lib/operations/saved-view'
import { viewsApiPath } from '@/lib/routes'
import { audiencesOf } from './view-audience'

type ViewFormProps = { list: string; search: string; view: SavedView | undefined; onDone: (said: string) => void }

/** Names the filters that are set now, or renames, shares and removes the view that is open. */
export function ViewForm({ list, search, view, onDone }: ViewFormProps) {
  const desk = useDesk()
  const { environment, person } = desk
  const [name, setName] = useState(view?.name ?? '')
  const { audiences, now } = audiencesOf(desk, view)
  const [chosen, setChosen] = useState(now)
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const mayShare = person.roles.some((role) => role !== 'viewer')

  const ask = async (method: string, path: string, said: string, body?: Record<string, unknown>) => {
    setBusy(true)
    setFault('')
    try {
      await request(path, { method, body })
      onDone(said)
    } catch (error) {
      const { items, message } = asCallError(error)
      setFault(items[0]?.detail ?? message)
    } finally {
      setBusy(false)
    }
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    const says = audiences.find((audience) => audience.id === chosen)?.says
    if (view) void ask('PUT', viewsApiPath(environment, view.id), 'The view was changed', { name, ...says })
    else void ask('POST', viewsApiPath(environment), 'The view was saved', { list, name, search, ...says })
  }
  const closed = view && !view.mayChange ? `This view is ${view.owner}’s: only they or an admin can change it.` : null
  return (
    <form onSubmit={save} noValidate className="grid gap-2">
      <Field label="Name" error={fault}>
        {(control) => (
          <Input
            {...control}
            ref={field}
            value={name}
            maxLength={60}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {mayShare && (
        <Field label="Who sees it" hint="Its name and its filters">
          {(control) => (
            <Select
              {...control}
              value={chosen}
              onChange={(event) => setChosen(audiences.find(({ id }) => id === event.target.value)?.id ?? 'own')}
            >
              {audiences.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <p className="text-ink-3 text-xs">Keeps filters, tab, order and columns. The account and the page are those of whoever opens it.</p>
      <div className="flex items-center justify-between gap-2">
        <Button type="submit" variant="primary" size="small" loading={busy} disabledReason={closed}>
          {view ? 'Save changes' : 'Save view'}
        </Button>
        {view && (
          <Button
            size="small"
            variant="quiet"
            disabledReason={closed}
            onClick={() => void ask('DELETE', viewsApiPath(environment, view.id), 'The view was removed')}
          >
            Remove
          </Button>
        )}
      </div>
    </form>
  )
}
