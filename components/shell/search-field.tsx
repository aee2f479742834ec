'use client'

import { type FormEvent, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { cn } from '@/components/ui/cn'
import { controlClasses } from '@/components/ui/input'
import { Kbd } from '@/components/ui/kbd'
import { idIn } from './id-in'

const LookupPanel = lazy(() => import('./lookup-panel').then((module) => ({ default: module.LookupPanel })))

/** The search of the top bar: an id pasted here is looked up in everything that has ids. Under 768 px it opens over the bar. */
export function SearchField({ icon }: { icon: ReactNode }) {
  const [words, setWords] = useState('')
  const [asked, setAsked] = useState<string | null>(null)
  const [unfolded, setUnfolded] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const frame = useRef<HTMLElement>(null)

  const focus = () => {
    // On a small screen the field is not drawn until now, and what is not drawn takes no focus.
    flushSync(() => setUnfolded(true))
    input.current?.focus()
  }
  const close = () => {
    setAsked(null)
    setUnfolded(false)
  }
  const change = (text: string) => {
    setWords(text)
    // A whole id needs no Enter: it was pasted to be opened.
    setAsked(idIn(text) ? text : null)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(words.trim() === '' ? null : words)
  }
  useShortcut('/', (event) => {
    event.preventDefault()
    focus()
  })

  return (
    <>
      <button
        type="button"
        onClick={focus}
        aria-label="Search by id"
        className="ml-auto inline-flex size-8 shrink-0 items-center justify-center rounded-sm text-ink-2 hover:bg-ink/6 md:hidden pointer-coarse:size-11 [&_svg]:size-4"
      >
        {icon}
      </button>
      <search
        ref={frame}
        className={cn(
          'bg-surface md:relative md:ml-auto md:block md:w-[22rem] md:bg-transparent',
          unfolded ? 'absolute inset-0 z-10 grid items-center px-4' : 'hidden',
        )}
        onKeyDown={(event) => event.key === 'Escape' && close()}
        onBlur={(event) => !frame.current?.contains(event.relatedTarget) && document.hasFocus() && close()}
      >
        <form
          onSubmit={submit}
          className="relative [&>svg]:pointer-events-none [&>svg]:absolute [&>svg]:top-2 [&>svg]:left-2.5 [&>svg]:size-4 [&>svg]:text-ink-3"
        >
          {icon}
          <input
            ref={input}
            type="search"
            value={words}
            onChange={(event) => change(event.target.value)}
            aria-label="Search by id"
            placeholder="Find by id"
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            className={cn(controlClasses, 'h-8 pr-2 pl-8 [&::-webkit-search-cancel-button]:hidden')}
          />
          {words === '' && <Kbd className="pointer-events-none absolute top-2 right-2 hidden md:inline-flex">/</Kbd>}
        </form>
        {asked !== null && (
          <div
            tabIndex={-1}
            className="absolute top-full right-4 left-4 mt-1 rounded-lg border border-line bg-raised p-3 shadow-float md:right-0 md:left-auto md:w-96"
          >
            <Suspense fallback={<p className="text-ink-3 text-sm">Looking</p>}>
              <LookupPanel asked={asked} onDone={close} />
            </Suspense>
          </div>
        )}
      </search>
    </>
  )
}
