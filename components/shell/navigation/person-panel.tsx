'use client'

import { useMutation } from '@tanstack/react-query'
import { lazy, useId } from 'react'
import { useNow } from '@/components/kits/layout/browser-state'
import { Link } from '@/components/kits/layout/link'
import { usePageContext } from '@/components/kits/layout/page-context'
import { usePreferences } from '@/components/kits/layout/preferences-context'
import { formatZoneName } from '@/components/kits/layout/relative-time'
import { Boundary } from '@/components/ui/boundary'
import { Button } from '@/components/ui/button'
import { linkClasses } from '@/components/ui/button-variants'
import { Checkbox } from '@/components/ui/field'
import { Skeleton } from '@/components/ui/skeleton'
import { Badge } from '@/components/ui/tone'
import { preferenceChoices } from '@/lib/client/preferences'
import { signOut } from '@/lib/client/session'
import { moneyRoles } from '@/lib/operations/define'
import { notificationsPath, profilePath, signInPath } from '@/lib/routes'

type SegmentedControlProps<T extends string> = {
  label: string
  options: readonly T[]
  words: Record<T, string>
  value: T
  onChange: (value: T) => void
}

function SegmentedControl<T extends string>({
  label,
  options,
  words,
  value,
  onChange,
}: SegmentedControlProps<T>) {
  const radioGroupName = useId()
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-ink-3 text-xs">{label}</legend>
      <div className="flex rounded-sm border border-line bg-sunken p-0.5">
        {options.map((option) => (
          <label
            key={option}
            className="flex h-7 flex-1 cursor-pointer items-center justify-center rounded-[3px] border border-transparent px-2 text-ink-2 text-xs outline-offset-2 has-checked:border-line has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-10"
          >
            <input
              type="radio"
              name={radioGroupName}
              value={option}
              checked={option === value}
              onChange={() => onChange(option)}
              className="sr-only"
            />
            {words[option]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const themeLabels = { system: 'System', light: 'Light', dark: 'Dark' }
const timeZoneLabels = { mine: 'Mine', utc: 'UTC', bank: 'New York' }
const dateOrderLabels = { month_first: 'Nov 22, 2026', day_first: '22 Nov 2026' }
const clockLabels = { '12': '2:05 PM', '24': '14:05' }
const densityLabels = { compact: 'Compact', default: 'Default', comfortable: 'Comfortable' }

const RateLimitMeter = lazy(() =>
  import('./rate-meter').then((module) => ({ default: module.RateMeter })),
)

export function PersonPanel() {
  const context = usePageContext()
  const { person, environment, isLimited } = context
  const { preferences, change } = usePreferences()
  const now = useNow()
  return (
    <div className="grid gap-4 p-3">
      <div className="grid gap-1">
        <p className="font-semibold text-base">{person.name}</p>
        <p className="break-all text-ink-3 text-xs">{person.email}</p>
        <p className="mt-1 flex flex-wrap items-center gap-1 text-ink-3 text-xs">
          {person.roles.map((role) => (
            <Badge key={role}>{role}</Badge>
          ))}
          {person.roles.length === 0
            ? `No role for the whole platform in ${environment}`
            : `in ${environment}`}
        </p>
      </div>
      <p className="flex gap-4 text-sm">
        <Link href={profilePath(context)} className={linkClasses}>
          Your profile
        </Link>
        <Link href={notificationsPath(context)} className={linkClasses}>
          Notifications
        </Link>
      </p>
      <SegmentedControl
        label="Theme"
        options={preferenceChoices.theme}
        words={themeLabels}
        value={preferences.theme}
        onChange={(theme) => change({ theme })}
      />
      <SegmentedControl
        label="Rows"
        options={preferenceChoices.density}
        words={densityLabels}
        value={preferences.density}
        onChange={(density) => change({ density })}
      />
      <SegmentedControl
        label={`Times (mine is ${formatZoneName(preferences.zone, now)})`}
        options={preferenceChoices.zoneChoice}
        words={timeZoneLabels}
        value={preferences.zoneChoice}
        onChange={(zoneChoice) => change({ zoneChoice })}
      />
      <SegmentedControl
        label="Dates"
        options={preferenceChoices.dateOrder}
        words={dateOrderLabels}
        value={preferences.dateOrder}
        onChange={(dateOrder) => change({ dateOrder })}
      />
      <SegmentedControl
        label="Clock"
        options={preferenceChoices.clock}
        words={clockLabels}
        value={preferences.clock}
        onChange={(clock) => change({ clock })}
      />
      <Checkbox
        label="Single-key shortcuts"
        checked={preferences.shortcuts}
        onChange={(event) => change({ shortcuts: event.target.checked })}
        className="-my-2"
      />
      {!isLimited && moneyRoles.some((role) => person.roles.includes(role)) && (
        <Boundary fallback={<Skeleton className="h-20" />}>
          <RateLimitMeter />
        </Boundary>
      )}
      <SignOutButton />
    </div>
  )
}

function SignOutButton() {
  const { mutate, isPending, isSuccess, isError } = useMutation({
    mutationFn: signOut,
    // Loads a new document, which removes the data of this session from the browser's memory.
    onSuccess: () => location.assign(signInPath()),
  })
  return (
    <div className="grid gap-1 border-line border-t pt-3">
      <Button onClick={() => mutate()} loading={isPending || isSuccess} className="w-full">
        Sign out
      </Button>
      <p role="alert" className="text-bad text-xs empty:hidden">
        {isError && 'Paydesk did not answer. You are still signed in; try again.'}
      </p>
    </div>
  )
}
