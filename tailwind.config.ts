import type { Config } from 'tailwindcss'

const buildToneColors = (name: string) => ({
  DEFAULT: `var(--${name})`,
  fill: `var(--${name}-fill)`,
})

/** `mark` is the color of data, such as a bar. The text color would be too dark for an area. */
const buildDataToneColors = (name: string) => ({
  ...buildToneColors(name),
  mark: `var(--${name}-mark)`,
})

/**
 * The design tokens of `app/globals.css` as Tailwind utilities. `theme` replaces Tailwind's own
 * colors and fonts, so no screen can use others.
 */
export default {
  content: ['./app/**/*.{ts,tsx}', './components/**/*.{ts,tsx}'],
  theme: {
    colors: {
      transparent: 'transparent',
      current: 'currentColor',
      bg: 'var(--bg)',
      surface: 'var(--surface)',
      raised: 'var(--raised)',
      sunken: 'var(--sunken)',
      selected: 'var(--selected)',
      line: 'var(--line)',
      control: 'var(--control)',
      ink: { DEFAULT: 'var(--text)', 2: 'var(--text-2)', 3: 'var(--text-3)' },
      accent: { DEFAULT: 'var(--accent)', hover: 'var(--accent-hover)', on: 'var(--on-accent)' },
      danger: { DEFAULT: 'var(--danger)', hover: 'var(--danger-hover)', on: 'var(--on-danger)' },
      neutral: buildToneColors('neutral'),
      moving: buildToneColors('moving'),
      held: buildDataToneColors('held'),
      review: buildToneColors('review'),
      good: buildDataToneColors('good'),
      bad: buildDataToneColors('bad'),
      sandbox: { ...buildToneColors('sandbox'), stripe: 'var(--sandbox-stripe)' },
    },
    fontSize: {
      '2xs': ['0.6875rem', '1rem'],
      xs: ['0.75rem', '1rem'],
      sm: ['0.8125rem', '1.25rem'],
      base: ['0.875rem', '1.25rem'],
      lg: ['1rem', '1.5rem'],
      xl: ['1.25rem', '1.75rem'],
      '2xl': ['1.75rem', '2rem'],
    },
    fontWeight: { normal: '400', medium: '500', semibold: '600' },
    fontFamily: {
      sans: 'var(--font-inter-ext), var(--font-inter), system-ui, sans-serif',
      mono: 'var(--font-jetbrains-mono), ui-monospace, monospace',
    },
    borderRadius: { none: '0', sm: '4px', DEFAULT: '6px', lg: '8px', full: '9999px' },
    boxShadow: { none: 'none', float: 'var(--shadow-float)' },
    screens: { sm: '640px', md: '768px', lg: '1024px', xl: '1280px', '2xl': '1536px' },
    extend: {
      spacing: {
        control: 'var(--control-height)',
        row: 'var(--row-height)',
        head: '2rem',
        bar: '3rem',
        nav: 'var(--nav-width)',
      },
      maxWidth: { content: '100rem' },
      transitionDuration: { panel: '180ms' },
    },
  },
} satisfies Config
