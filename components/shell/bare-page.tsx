import type { ReactNode } from 'react'
import { Mark } from '@/components/ui/mark'

/** A page outside the frame, for when no desk could be opened. */
export const BarePage = ({ children }: { children: ReactNode }) => (
  <div className="mx-auto grid min-h-dvh max-w-2xl content-start px-5 py-6 sm:px-10">
    <header className="flex items-center gap-2 font-semibold text-lg">
      <Mark className="size-6" /> Paydesk
    </header>
    <main className="-mx-3 mt-[8vh]">{children}</main>
  </div>
)
