package io.headgate.simulator.result;

import java.awt.Color;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.batik.dom.GenericDOMImplementation;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGGraphics2DIOException;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.w3c.dom.Document;

/** Draws offered, admitted, limit and drop ratio over time as an SVG picture. */
public final class Chart {

  private static final int WIDTH = 1000;
  private static final int HEIGHT = 520;

  private Chart() {}

  /** Writes the picture of a result to a file. */
  public static void write(Result result, Path file) throws IOException {
    Document document =
        GenericDOMImplementation.getDOMImplementation()
            .createDocument("http://www.w3.org/2000/svg", "svg", null);
    SVGGraphics2D graphics = new SVGGraphics2D(document);
    draw(result).paint(graphics, WIDTH, HEIGHT);
    graphics.setSVGCanvasSize(new java.awt.Dimension(WIDTH, HEIGHT));
    try (Writer writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      graphics.stream(writer, true);
    } catch (SVGGraphics2DIOException e) {
      throw new IOException("cannot write '" + file + "': " + e.getMessage(), e);
    }
  }

  private static XYChart draw(Result result) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(result.scenario() + ", seed " + result.seed())
            .xAxisTitle("seconds")
            .yAxisTitle("requests a second")
            .build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setPlotBorderVisible(false);
    chart.setYAxisGroupTitle(1, "drop ratio");
    chart.getStyler().setYAxisGroupPosition(1, Styler.YAxisPosition.Right);
    chart.getStyler().setYAxisMin(1, 0.0);
    chart.getStyler().setYAxisMax(1, 1.0);
    Result.Series series = result.series();
    line(chart, "offered", series.seconds(), series.offeredPerSecond(), new Color(0x9A9A9A));
    line(chart, "admitted", series.seconds(), series.admittedPerSecond(), new Color(0x1565C0));
    line(chart, "limit", series.seconds(), series.limitPerSecond(), new Color(0xC62828));
    line(chart, "drop ratio", series.seconds(), series.dropRatio(), new Color(0xEF9A3C))
        .setYAxisGroup(1);
    return chart;
  }

  private static XYSeries line(XYChart chart, String name, double[] x, double[] y, Color color) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineColor(color);
    series.setLineWidth(1.6f);
    return series;
  }
}
