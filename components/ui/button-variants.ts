import { cva, type VariantProps } from 'class-variance-authority'

/** In a separate file, because a server component cannot call functions of `button.tsx`. */
export const buttonVariants = cva(
  [
    'inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-sm border font-medium text-sm no-underline',
    // Disabled buttons are gray but not faded, because their text must stay readable.
    'transition-tint disabled:border-line disabled:bg-sunken disabled:text-ink-3 aria-busy:opacity-80',
    'not-aria-busy:aria-disabled:border-line not-aria-busy:aria-disabled:bg-sunken not-aria-busy:aria-disabled:text-ink-3',
    'forced-colors:aria-disabled:text-[GrayText] [&_svg]:size-4 [&_svg]:shrink-0',
  ],
  {
    variants: {
      variant: {
        primary:
          'border-transparent bg-accent text-accent-on not-aria-disabled:hover:bg-accent-hover',
        secondary: 'border-control/60 bg-surface text-ink not-aria-disabled:hover:bg-sunken',
        quiet:
          'border-transparent bg-transparent text-ink-2 not-aria-disabled:hover:bg-ink/6 not-aria-disabled:hover:text-ink',
        danger:
          'border-transparent bg-danger text-danger-on not-aria-disabled:hover:bg-danger-hover',
      },
      size: {
        default: 'h-control px-3',
        small: 'h-7 px-2 text-xs pointer-coarse:h-10 pointer-coarse:px-3',
        large: 'h-10 px-4 text-base',
        icon: 'size-control p-0',
      },
    },
    defaultVariants: { variant: 'secondary', size: 'default' },
  },
)

/** A link in a text or a table. A link that looks like a button has `buttonVariants`. */
export const linkClasses = 'rounded-sm text-accent hover:underline'

/** A link that covers its row, so that a click anywhere opens the row. */
export const rowLinkClasses =
  'font-medium text-ink after:absolute after:inset-0 group-hover:underline'

export type ButtonVariants = VariantProps<typeof buttonVariants>
