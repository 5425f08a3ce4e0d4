// Draws a chart once more, on white paper, and saves it. What it is called with is data; functions
// among it are those of our own charts.
async ({option, kind, name, width, height}) => {
  const {echarts} = await import('nicegui-echart');

  const withFunctions = (value) => {
    if (Array.isArray(value)) return value.map(withFunctions);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => (
      key.startsWith(':') ? [key.slice(1), new Function(`return (${one})`)()] : [key, withFunctions(one)]
    )));
  };

  const save = (blob) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };

  const vector = kind === 'svg';
  const chart = echarts.init(vector ? null : document.createElement('div'), null,
    {renderer: vector ? 'svg' : 'canvas', ssr: vector, width, height, devicePixelRatio: 2});
  chart.setOption(withFunctions(option));
  if (vector) {
    save(new Blob([chart.renderToSVGString()], {type: 'image/svg+xml'}));
  } else {
    const canvas = chart.renderToCanvas({pixelRatio: 2, backgroundColor: '#ffffff'});
    save(await new Promise((resolve) => { canvas.toBlob(resolve, 'image/png'); }));
  }
  chart.dispose();
}
