// What `cdktf deploy` in the root of the repository deploys.
import { App } from 'cdktf';
import { Image } from '../constructs';
import { Fleet } from './fleet';

const app = new App();

new Fleet(app, 'lab', {
  defaults: { image: Image.fromTemplate('ubuntu-22.04') },
  machines: {
    web: { cpu: { cores: 2 }, memory: '2Gi', tags: ['web'] },
    worker: { cpu: { cores: 1 }, memory: '1Gi', tags: ['worker'] },
  },
});

app.synth();
