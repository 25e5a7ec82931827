import { statesByHand } from '../../input/sourced-states';
import type { Options, Surroundings } from '../../input/surroundings';
import { EXIT } from '../../report/exit-code';
import { eachRun, wantedIn } from '../each-state';
import { statesNaming } from './named-machines';
import { presentGuest } from './present-guest';

/** Prints where a browser shows the console of a machine. Asks for no ticket: who opens it logs in there. */
export async function consoleOf(
  given: Surroundings,
  options: Options,
  [machine = '']: string[],
): Promise<number> {
  const { states, around } = await statesByHand(options, given);
  const named = statesNaming(states, [machine]);
  const addresses = await eachRun<string>(named, around, (run, state) => {
    const wanted = wantedIn(state, around).filter(({ spec }) => spec.id === machine);
    return Promise.all(
      wanted.map(async one => {
        const { vmid, node, current, power } = await presentGuest(run, one, 'half-made');
        if (power === 'stopped')
          around.reporter.say('warn', `${machine}: is off: its console shows nothing.`);
        return addressOf(run.pve.answering(), { vmid, node, name: current['name'] ?? '' });
      }),
    );
  });
  around.out(`${addresses.join('\n')}\n`);
  return EXIT.done;
}

/** The page of Proxmox's own web interface. assumed: no recording has it; it is what its button opens in 8.4 and 9.2. */
function addressOf(endpoint: string, guest: { vmid: number; node: string; name: string }): string {
  const { vmid, node, name } = guest;
  const query = new URLSearchParams({ console: 'kvm', novnc: '1', vmid: String(vmid), vmname: name, node });
  return `${new URL('/', endpoint).href}?${query.toString()}`;
}
