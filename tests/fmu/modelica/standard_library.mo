// What examples/modelica/Mission.mo takes of the Modelica Standard Library, by its documented equations.
package Modelica
  package Blocks
    package Continuous
      model FirstOrder
        parameter Real k = 1;
        parameter Real T = 1;
        parameter Integer initType = 1;
        input Real u;
        output Real y;
      equation
        der(y) = (k * u - y) / T;
      end FirstOrder;
      model Integrator
        parameter Real k = 1;
        parameter Real y_start = 0;
        parameter Integer initType = 3;
        input Real u;
        output Real y(start = y_start);
      equation
        der(y) = k * u;
      end Integrator;
    end Continuous;
  end Blocks;
end Modelica;
